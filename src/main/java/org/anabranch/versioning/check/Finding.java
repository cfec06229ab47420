package org.anabranch.versioning.check;

import org.anabranch.model.CommitId;
import org.anabranch.model.ContentKey;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is not as it must be.
 *
 * @param reference by which it was met first; null if it belongs to none
 * @param row number of the commit row, 0 if it is about none
 * @param commit id in the commit's header; null if it is about none, or the header cannot be read
 * @param key null if it is about none
 * @param expected what must be there, in words
 * @param actual what is there, in words
 */
public record Finding(
        Kind kind,
        @Nullable String reference,
        long row,
        @Nullable CommitId commit,
        @Nullable ContentKey key,
        String expected,
        String actual) {

    /** What is wrong. The names stand in reports, so they stay. */
    public enum Kind {
        /** The repository record is missing, or a field of it cannot be. */
        REPOSITORY,
        /** A reference's head is no commit, or has another id than the reference says. */
        REFERENCE,
        /** A head that a reference had earlier is no commit, or has another id. */
        EARLIER_HEAD,
        /** The answer that is kept for a repeated request cannot be read, or leads to no commit. */
        RECEIPT,
        /** A row that is pointed at is not there, or not all of it. */
        MISSING_ROW,
        /** Stored bytes cannot be read: a wrong checksum, or an impossible value. */
        UNREADABLE,
        /** What the store keeps beside a row, its id and the numbers of its parents, is not what the row says. */
        LINKS,
        /** A commit is its own ancestor. */
        CYCLE,
        /** The hash of a commit is not its id. */
        COMMIT_ID,
        /** A commit names a parent by an id that the parent does not have. */
        PARENT,
        SEQ,
        JUMP,
        JUMP_FLOOR,
        GENERATION,
        LAST_MERGE,
        /** A commit is not younger than its first parent. */
        CREATED_AT,
        /** The operations are not ordered, or do not lead from the first parent's tree to the commit's. */
        OPERATIONS,
        /** A put entry has another {@code seq} than its commit. */
        ENTRY_SEQ,
        TREE_ORDER,
        TREE_SHAPE,
        TREE_COUNT,
        TREE_SUM,
        /** A tree uses a node or content of a row that the commit does not descend from. */
        FOREIGN_ROW,
        /** A content that lies outside of its leaf has another size or digest than the leaf says. */
        CONTENT,
        /** A commit holds one content id under two keys. */
        CONTENT_ID_TWICE
    }
}
