package org.anabranch.security;

import static org.anabranch.security.Check.*;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.anabranch.security.Check.Scope;
import org.jspecify.annotations.Nullable;

/** What a rule allows or denies, in the words of people: some checks, of changes that come by certain ways. */
public enum Right {
    /** To see a reference, its history, its keys and what they hold. */
    READ(null, VIEW_REFERENCE, READ_ENTRIES, LIST_COMMIT_LOG, READ_CONTENT_KEY, READ_ENTITY_VALUE),
    CREATE(Via.COMMIT, CREATE_ENTITY),
    UPDATE(Via.COMMIT, UPDATE_ENTITY),
    DELETE(Via.COMMIT, DELETE_ENTITY),
    /** To merge, transplant and revert into a reference, whatever this does to keys. */
    MERGE(
            Via.MERGE,
            COMMIT_CHANGE_AGAINST_REFERENCE,
            MERGE_INTO_REFERENCE,
            CREATE_ENTITY,
            UPDATE_ENTITY,
            DELETE_ENTITY),
    /** Create, update, delete and merge. */
    WRITE(null, COMMIT_CHANGE_AGAINST_REFERENCE, MERGE_INTO_REFERENCE, CREATE_ENTITY, UPDATE_ENTITY, DELETE_ENTITY),
    FORCE(null, FORCE_CHANGE),
    CREATE_REFERENCE(null, Check.CREATE_REFERENCE),
    ASSIGN_REFERENCE(null, ASSIGN_REFERENCE_TO_HASH),
    DELETE_REFERENCE(null, Check.DELETE_REFERENCE),
    READ_DETACHED(null, Check.READ_DETACHED),
    READ_CONFIG(null, READ_REPOSITORY_CONFIG),
    UPDATE_CONFIG(null, UPDATE_REPOSITORY_CONFIG),
    /** To check, sweep and export the repository, and to read its metrics. */
    ADMIN(null, ADMIN_CHECK, ADMIN_SWEEP, ADMIN_EXPORT, ADMIN_METRICS),
    /** Everything. */
    ALL(null, Check.values()),
    /**
     * Everything that the reference server asks about, and, in its words, what it leaves unasked: a rule text of its own stands for this.
     * Has no name in rules.
     */
    PEER(
            null,
            VIEW_REFERENCE,
            Check.CREATE_REFERENCE,
            ASSIGN_REFERENCE_TO_HASH,
            Check.DELETE_REFERENCE,
            READ_ENTRIES,
            LIST_COMMIT_LOG,
            COMMIT_CHANGE_AGAINST_REFERENCE,
            READ_CONTENT_KEY,
            READ_ENTITY_VALUE,
            CREATE_ENTITY,
            UPDATE_ENTITY,
            DELETE_ENTITY,
            READ_REPOSITORY_CONFIG,
            UPDATE_REPOSITORY_CONFIG,
            MERGE_INTO_REFERENCE,
            FORCE_CHANGE,
            Check.READ_DETACHED);

    /** Those that rules name. */
    public static final List<Right> NAMED =
            Arrays.stream(values()).filter(right -> right != PEER).toList();

    private final @Nullable Via via;
    private final Set<Check> checks;

    Right(@Nullable Via via, Check... checks) {
        this.via = via;
        this.checks = EnumSet.copyOf(Arrays.asList(checks));
    }

    /** The right that rules call so. */
    public static Optional<Right> find(String text) {
        return NAMED.stream().filter(right -> right.text().equals(text)).findFirst();
    }

    /** As it stands in rules. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether this right is what a question asks for. */
    boolean covers(Check check, Via by) {
        return checks.contains(check) && (via == null || via == by);
    }

    /** Whether some of it is about a reference as a whole. */
    public boolean isPartlyOfReferences() {
        return checks.stream().anyMatch(check -> check.scope() == Scope.REFERENCE);
    }

    /** Whether this right, given, answers a question: who may change keys by commits may also commit. */
    public boolean grants(Check check, Via by) {
        return covers(check, by)
                || check == COMMIT_CHANGE_AGAINST_REFERENCE
                        && by == Via.COMMIT
                        && (this == CREATE || this == UPDATE || this == DELETE);
    }

    /** What rules call a check under this right. */
    Check asked(Check check) {
        if (this != PEER) {
            return check;
        }
        return switch (check) {
            case MERGE_INTO_REFERENCE -> COMMIT_CHANGE_AGAINST_REFERENCE;
            case FORCE_CHANGE -> UPDATE_ENTITY;
            case READ_DETACHED -> VIEW_REFERENCE;
            default -> check;
        };
    }

    /** Whether it can be given for some branches and tags and not for others. */
    boolean isNarrowedByReferences() {
        return this != READ_DETACHED && checks.stream().anyMatch(check -> check.scope() != Scope.REPOSITORY);
    }

    /** Whether it can be given for some keys and not for others. */
    boolean isNarrowedByKeys() {
        return this != ALL && checks.stream().anyMatch(check -> check.scope() == Scope.KEY);
    }
}
