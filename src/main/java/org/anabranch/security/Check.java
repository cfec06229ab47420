package org.anabranch.security;

/**
 * What a caller must be allowed to do. The names up to {@link #UPDATE_REPOSITORY_CONFIG} are those of the reference server, which
 * its rule texts use; the variable {@code op} of a rule's {@code when} is the name.
 */
public enum Check {
    /** To know of a reference. Part of every other question about it. */
    VIEW_REFERENCE(Scope.REFERENCE),
    CREATE_REFERENCE(Scope.REFERENCE),
    ASSIGN_REFERENCE_TO_HASH(Scope.REFERENCE),
    DELETE_REFERENCE(Scope.REFERENCE),
    READ_ENTRIES(Scope.REFERENCE),
    LIST_COMMIT_LOG(Scope.REFERENCE),
    COMMIT_CHANGE_AGAINST_REFERENCE(Scope.REFERENCE),
    /** To know of a key. */
    READ_CONTENT_KEY(Scope.KEY),
    /** To read what a key holds. */
    READ_ENTITY_VALUE(Scope.KEY),
    CREATE_ENTITY(Scope.KEY),
    UPDATE_ENTITY(Scope.KEY),
    DELETE_ENTITY(Scope.KEY),
    READ_REPOSITORY_CONFIG(Scope.REPOSITORY),
    UPDATE_REPOSITORY_CONFIG(Scope.REPOSITORY),

    /** To merge, transplant or revert, beside what the changes need. */
    MERGE_INTO_REFERENCE(Scope.REFERENCE),
    /** To have a merge end in a way that does not depend on what the target holds. */
    FORCE_CHANGE(Scope.KEY),
    /** To read a commit that no reference vouches for. Part of every other question about {@link Question#DETACHED}. */
    READ_DETACHED(Scope.REFERENCE),
    ADMIN_CHECK(Scope.REPOSITORY),
    ADMIN_SWEEP(Scope.REPOSITORY),
    ADMIN_EXPORT(Scope.REPOSITORY),
    ADMIN_METRICS(Scope.REPOSITORY);

    /** What a check is about. */
    public enum Scope {
        REPOSITORY,
        REFERENCE,
        /** A key of a reference. */
        KEY
    }

    private final Scope scope;

    Check(Scope scope) {
        this.scope = scope;
    }

    public Scope scope() {
        return scope;
    }
}
