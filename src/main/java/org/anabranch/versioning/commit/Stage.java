package org.anabranch.versioning.commit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.anabranch.dag.CommitGraph;
import org.anabranch.index.IndexEditor;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.CommitMeta;
import org.anabranch.object.Commit;
import org.anabranch.object.CommitRowBuilder;
import org.anabranch.object.CommitRowBuilder.Built;
import org.anabranch.object.GraphPosition;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.ObjectReader;
import org.anabranch.object.StagedObjects;
import org.anabranch.object.Tree;
import org.anabranch.store.CommitRow;
import org.anabranch.store.Instants;

/**
 * Commits that are ready and that nobody else sees, on top of what is stored. What is read through a stage sees both. Not safe
 * from many threads.
 */
public final class Stage {

    private final StagedObjects objects;
    private final KeyIndex index;
    private final CommitGraph graph;
    private final IndexEditor editor;
    private final LongSupplier numbers;
    private final List<Built> staged = new ArrayList<>();
    private long bytes;
    private Runnable timeLimit = () -> {};

    Stage(ObjectReader stored, byte[] salt, LongSupplier numbers) {
        this.objects = new StagedObjects(stored);
        this.index = new KeyIndex(objects);
        this.graph = new CommitGraph(objects);
        this.editor = new IndexEditor(objects, salt);
        this.numbers = numbers;
    }

    public ObjectReader objects() {
        return objects;
    }

    public KeyIndex index() {
        return index;
    }

    public CommitGraph graph() {
        return graph;
    }

    /** @param sign given before each read of what is stored, from now on */
    void giveSign(Runnable sign) {
        objects.giveSign(sign);
    }

    /** @param check called before each commit that is staged from now on; throws if there is no time for it */
    void limitTime(Runnable check) {
        timeLimit = check;
    }

    /**
     * Stages one commit.
     *
     * @param parents first the commit whose line it extends and whose tree is edited, then merge sources; each stored or staged
     *     here
     * @param requestedAt the time of the request; the commit is younger than its first parent all the same, by a microsecond at
     *     least
     */
    public Commit commit(List<Commit> parents, IndexEdit edit, CommitMeta meta, Instant requestedAt) {
        timeLimit.run();
        Commit parent = parents.get(0);
        GraphPosition position = graph.position(parents);
        CommitRowBuilder builder = new CommitRowBuilder(numbers.getAsLong(), objects);
        SortedMap<IndexKey, Optional<IndexEntry>> edits = new TreeMap<>();
        edit.keys().forEach((contentKey, keyEdit) -> {
            IndexKey key = IndexKey.of(contentKey);
            edits.put(
                    key,
                    switch (keyEdit) {
                        case IndexEdit.Remove remove -> Optional.empty();
                        case IndexEdit.Put put -> Optional.of(entry(key, put.value(), position.seq(), builder));
                    });
        });
        Tree tree = editor.apply(parent.tree(), edits, builder);
        long createdAtMicros = Math.max(Instants.micros(requestedAt), parent.createdAtMicros() + 1);
        Built built = builder.build(parents, position, tree, createdAtMicros, meta, edits);
        objects.add(built);
        staged.add(built);
        bytes += size(built.row());
        return built.commit();
    }

    private static IndexEntry entry(IndexKey key, IndexEdit.NewValue value, long seq, CommitRowBuilder builder) {
        return new IndexEntry(
                key,
                value.type(),
                value.contentId(),
                seq,
                switch (value) {
                    case IndexEdit.Given(var content) -> builder.addContent(content);
                    case IndexEdit.Stored(var entry) -> entry.content();
                });
    }

    /** What is staged so far, parents before children. */
    List<Built> staged() {
        return List.copyOf(staged);
    }

    /** How many commits are staged so far. */
    int count() {
        return staged.size();
    }

    /** The encoded size of what is staged so far. */
    long bytes() {
        return bytes;
    }

    /** Forgets what was staged after the first {@code count} commits; nothing that is staged from now on may be based on them. */
    void dropAfter(int count) {
        List<Built> dropped = staged.subList(count, staged.size());
        dropped.forEach(built -> bytes -= size(built.row()));
        dropped.clear();
    }

    private static long size(CommitRow row) {
        return row.chunks().stream().mapToLong(chunk -> chunk.length).sum();
    }
}
