package org.anabranch.bench.jmh;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.anabranch.index.IndexEditor;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.CommitMeta;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.IcebergTable;
import org.anabranch.model.ReferenceKind;
import org.anabranch.object.Commit;
import org.anabranch.object.CommitRowBuilder;
import org.anabranch.object.GraphPosition;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.StoredObjects;
import org.anabranch.object.Tree;
import org.anabranch.store.Change;
import org.anabranch.store.Head;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.memory.MemoryStore;

/** A catalog in the memory store, loaded in random order in commits of 1,000 tables, without HTTP and rules. */
final class CommitsInMemory {

    private static final int TABLES_PER_COMMIT = 1_000;
    private static final long CACHE_BYTES = 512L << 20;
    private static final byte[] SALT = "sixteen bytes ok".getBytes(StandardCharsets.US_ASCII);
    private static final CommitMeta META =
            new CommitMeta("update", "", List.of("Ada"), Instant.EPOCH, List.of(), Map.of());

    private final MemoryStore store = new MemoryStore();
    private final StoredObjects objects = new StoredObjects(store, CACHE_BYTES);
    private final int tables;
    private final Random random = new Random(1);
    private Commit head = Commit.NO_ANCESTOR;

    CommitsInMemory(int tables) {
        this.tables = tables;
        List<Integer> order = new ArrayList<>();
        for (int table = 0; table < tables; table++) {
            order.add(table);
        }
        Collections.shuffle(order, random);
        for (int from = 0; from < tables; from += TABLES_PER_COMMIT) {
            head = store(build(head, order.subList(from, Math.min(tables, from + TABLES_PER_COMMIT))));
        }
    }

    Commit head() {
        return head;
    }

    /** An index that reads what was read before from memory. */
    KeyIndex warmIndex() {
        return new KeyIndex(objects);
    }

    /** An index that decodes what it reads. */
    KeyIndex coldIndex() {
        return new KeyIndex(new StoredObjects(store, CACHE_BYTES));
    }

    IndexKey randomKey() {
        return IndexKey.of(key(random.nextInt(tables)));
    }

    List<Integer> randomTables(int count) {
        return random.ints(count, 0, tables).distinct().boxed().toList();
    }

    /** The commit that puts new metadata of tables, encoded and not stored. */
    CommitRowBuilder.Built build(Commit parent, List<Integer> changed) {
        long number = store.numbers(1);
        CommitRowBuilder builder = new CommitRowBuilder(number, objects);
        SortedMap<IndexKey, Optional<IndexEntry>> operations = new TreeMap<>();
        for (int table : changed) {
            IcebergTable content = table(table);
            IndexKey key = IndexKey.of(key(table));
            IndexEntry entry =
                    new IndexEntry(key, content.type(), content.id(), parent.seq() + 1, builder.addContent(content));
            operations.put(key, Optional.of(entry));
        }
        Tree tree = new IndexEditor(objects, SALT).apply(parent.tree(), operations, builder);
        GraphPosition position = new GraphPosition(
                parent.seq() + 1,
                parent.number(),
                parent.seq(),
                parent.generation() + 1,
                parent.generation() + 1,
                parent.lastMerge());
        return builder.build(List.of(parent), position, tree, 1, META, operations);
    }

    /** Stores a commit under a branch of its own. */
    Commit store(CommitRowBuilder.Built built) {
        Commit commit = built.commit();
        ReferenceRow branch = new ReferenceRow(
                "b" + commit.number(), ReferenceKind.BRANCH, commit.head(), commit.number(), 1, 1, List.of());
        List<Long> adopted = commit.parents().stream()
                .map(Head::number)
                .filter(number -> number != 0)
                .toList();
        store.write(List.of(built.row()), adopted, new Change.OfReference(branch.name(), null, branch), List.of());
        objects.remember(built);
        return commit;
    }

    private static ContentKey key(int table) {
        return ContentKey.of("lake", "ns%03d".formatted(table % 100), "table_%07d".formatted(table));
    }

    private IcebergTable table(int table) {
        String location = "s3://warehouse/lake/t_" + new UUID(table, 7) + "/metadata/00042-"
                + new UUID(random.nextLong(), random.nextLong()) + ".metadata.json";
        return new IcebergTable(new ContentId(new UUID(table, 7)), location, random.nextLong(), 0, 0, 0);
    }
}
