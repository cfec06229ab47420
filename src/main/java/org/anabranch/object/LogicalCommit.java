package org.anabranch.object;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitMeta;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;

/**
 * All that clients can see of a commit, and nothing of how it is stored: what its hash is made of, and what another repository
 * needs to have the same commit.
 *
 * @param parents first the commit whose line it extends, {@link CommitId#NO_ANCESTOR} for a first commit; then merge sources
 * @param seq length of the first-parent line
 * @param createdAtMicros in microseconds since the epoch
 * @param operations per key the content that was put, which has an id, or empty for a deleted key
 */
public record LogicalCommit(
        List<CommitId> parents,
        long seq,
        long createdAtMicros,
        CommitMeta meta,
        SortedMap<ContentKey, Optional<Content>> operations) {

    public LogicalCommit {
        parents = List.copyOf(parents);
        if (parents.isEmpty()) {
            throw new IllegalArgumentException("A commit has a parent, no ancestor at least");
        }
        operations = Collections.unmodifiableSortedMap(operations);
        operations.values().stream().flatMap(Optional::stream).forEach(content -> {
            if (content.id() == null) {
                throw new IllegalArgumentException("A content of a commit has an id");
            }
        });
    }

    /** The hash that this commit has in every repository. */
    public CommitId id() {
        SortedMap<IndexKey, Optional<IndexEntry>> entries = new TreeMap<>();
        operations.forEach((contentKey, put) -> {
            IndexKey key = IndexKey.of(contentKey);
            entries.put(key, put.map(content -> entry(key, content)));
        });
        return CommitCodec.hash(parents, seq, createdAtMicros, meta, entries);
    }

    private IndexEntry entry(IndexKey key, Content content) {
        return new IndexEntry(
                key,
                content.type(),
                Objects.requireNonNull(content.id()),
                seq,
                new StoredContent.Inline(ContentCodec.encode(content)));
    }
}
