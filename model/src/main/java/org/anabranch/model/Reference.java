package org.anabranch.model;

/** A reference as answers name it: where a branch or tag is, or a commit without one. */
public sealed interface Reference {

    /** The commit it is at; {@link CommitId#NO_ANCESTOR} for an empty one. */
    CommitId hash();

    /** A branch or tag. */
    record Named(ReferenceKind kind, String name, CommitId hash) implements Reference {}

    /** A commit read by its hash alone. */
    record Detached(CommitId hash) implements Reference {}
}
