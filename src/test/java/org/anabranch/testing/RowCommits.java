package org.anabranch.testing;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.anabranch.index.IndexEditor;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.CommitMeta;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.IcebergTable;
import org.anabranch.model.ReferenceKind;
import org.anabranch.object.Commit;
import org.anabranch.object.CommitRowBuilder;
import org.anabranch.object.GraphPosition;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.ObjectReader;
import org.anabranch.object.StoredObjects;
import org.anabranch.object.Tree;
import org.anabranch.store.Change;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.WriteOutcome;
import org.anabranch.store.memory.MemoryStore;

/**
 * Puts and deletes contents in commit rows of a memory store, without the rules of the rooms above: what is asked for is done.
 * Every run makes the same bytes.
 */
public final class RowCommits {

    public static final byte[] SALT = "sixteen bytes ok".getBytes(StandardCharsets.US_ASCII);

    private final CountingStore store = new CountingStore(new MemoryStore());
    private StoredObjects objects = new StoredObjects(store, 64_000_000);

    public CountingStore store() {
        return store;
    }

    public StoredObjects objects() {
        return objects;
    }

    public KeyIndex index() {
        return new KeyIndex(objects);
    }

    /** Goes on with a cache of that size with nothing in it. */
    public void forgetCache(long cacheBytes) {
        objects = new StoredObjects(store, cacheBytes);
    }

    /** A table whose location is long and random enough to be like a real one. */
    public static IcebergTable table(int n, int version) {
        UUID table = UUID.nameUUIDFromBytes(("table" + n).getBytes(StandardCharsets.US_ASCII));
        UUID file = UUID.nameUUIDFromBytes(("file" + n + "-" + version).getBytes(StandardCharsets.US_ASCII));
        String location =
                String.format("s3://lake/warehouse/t_%s/metadata/%05d-%s.metadata.json", table, version, file);
        return new IcebergTable(new ContentId(table), location, file.getMostSignificantBits(), version % 7, 0, 0);
    }

    /** Key number n of 100 namespaces. */
    public static ContentKey key(int n) {
        return ContentKey.of(String.format("ns%02d", n % 100), String.format("table_%07d", n / 100));
    }

    public static CommitMeta meta(String message) {
        return new CommitMeta(
                message, "", List.of("Ada"), Instant.ofEpochSecond(1_700_000_000, 123_456_789), List.of(), Map.of());
    }

    /** Builds the row that puts contents, with their ids, and deletes keys (empty), without storing it. */
    public CommitRowBuilder.Built build(
            ObjectReader reader, long number, Commit parent, Map<ContentKey, Optional<Content>> changes) {
        return build(reader, number, parent, changes, meta("change " + changes.size()));
    }

    public CommitRowBuilder.Built build(
            ObjectReader reader,
            long number,
            Commit parent,
            Map<ContentKey, Optional<Content>> changes,
            CommitMeta meta) {
        CommitRowBuilder builder = new CommitRowBuilder(number, reader);
        SortedMap<IndexKey, Optional<IndexEntry>> operations = new TreeMap<>();
        new TreeMap<>(changes).forEach((key, content) -> {
            IndexKey indexKey = IndexKey.of(key);
            Optional<IndexEntry> entry = content.map(
                    put -> new IndexEntry(indexKey, put.type(), put.id(), parent.seq() + 1, builder.addContent(put)));
            operations.put(indexKey, entry);
        });
        Tree tree = new IndexEditor(reader, SALT).apply(parent.tree(), operations, builder);
        GraphPosition position = new GraphPosition(
                parent.seq() + 1,
                parent.number(),
                parent.seq(),
                parent.generation() + 1,
                parent.generation() + 1,
                parent.lastMerge());
        return builder.build(List.of(parent), position, tree, 1_700_000_000_000_000L + parent.seq(), meta, operations);
    }

    /** Builds such a row and stores it, reachable from a branch of its own. */
    public Commit commit(Commit parent, Map<ContentKey, Optional<Content>> changes) {
        CommitRowBuilder.Built built = build(objects, store.numbers(1), parent, changes);
        store(built, parent);
        objects.remember(built);
        return built.commit();
    }

    public void store(CommitRowBuilder.Built built, Commit parent) {
        long number = built.commit().number();
        ReferenceRow branch = new ReferenceRow(
                "b" + number, ReferenceKind.BRANCH, built.commit().head(), number, 1, 1, List.of());
        List<Long> adopted = parent.isNoAncestor() ? List.of() : List.of(parent.number());
        WriteOutcome outcome = store.write(
                List.of(built.row()), adopted, new Change.OfReference(branch.name(), null, branch), List.of());
        if (!(outcome instanceof WriteOutcome.Written)) {
            throw new AssertionError("The commit was not written: " + outcome);
        }
    }
}
