package org.anabranch.index;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.Node;
import org.anabranch.object.StoredContent;
import org.anabranch.object.Tree;
import org.anabranch.testing.NodeHeap;

/** Index keys, entries and trees over a {@link NodeHeap}. */
final class IndexFixture {

    static final byte[] SALT = "sixteen bytes ok".getBytes(StandardCharsets.US_ASCII);

    final NodeHeap heap = new NodeHeap();
    final KeyIndex index = new KeyIndex(heap);
    final BoundaryRule rule;
    final IndexEditor editor;

    /** With the rule of the stored format. */
    IndexFixture() {
        this(new BoundaryRule(SALT));
    }

    IndexFixture(BoundaryRule rule) {
        this.rule = rule;
        this.editor = new IndexEditor(heap, rule);
    }

    /** Key number n of 100 namespaces. */
    static IndexKey key(int n) {
        return IndexKey.of(ContentKey.of(String.format("ns%02d", n % 100), String.format("table_%07d", n / 100)));
    }

    static IndexEntry entry(IndexKey key, long seq, int value) {
        return new IndexEntry(
                key,
                ContentType.ICEBERG_TABLE,
                new ContentId(new UUID(7, key.hashCode())),
                seq,
                new StoredContent.Inline(("v" + value).getBytes(StandardCharsets.US_ASCII)));
    }

    /** Entries under the keys from 0 to n - 1. */
    static SortedMap<IndexKey, IndexEntry> entries(int n) {
        SortedMap<IndexKey, IndexEntry> entries = new TreeMap<>();
        for (int i = 0; i < n; i++) {
            entries.put(key(i), entry(key(i), 1, i));
        }
        return entries;
    }

    static SortedMap<IndexKey, Optional<IndexEntry>> puts(SortedMap<IndexKey, IndexEntry> entries) {
        SortedMap<IndexKey, Optional<IndexEntry>> edits = new TreeMap<>();
        entries.forEach((key, entry) -> edits.put(key, Optional.of(entry)));
        return edits;
    }

    static SortedMap<IndexKey, Optional<IndexEntry>> one(IndexKey key, Optional<IndexEntry> edit) {
        SortedMap<IndexKey, Optional<IndexEntry>> edits = new TreeMap<>();
        edits.put(key, edit);
        return edits;
    }

    /** Draws edits of an index that holds some of the keys below {@code keys}. */
    static SortedMap<IndexKey, Optional<IndexEntry>> randomEdits(Random random, int count, int keys, long seq) {
        SortedMap<IndexKey, Optional<IndexEntry>> edits = new TreeMap<>();
        int deletePercent = random.nextInt(100);
        for (int i = 0; i < count; i++) {
            IndexKey key = key(random.nextInt(keys));
            edits.put(
                    key,
                    random.nextInt(100) < deletePercent
                            ? Optional.empty()
                            : Optional.of(entry(key, seq, random.nextInt(5))));
        }
        return edits;
    }

    static void applyTo(SortedMap<IndexKey, IndexEntry> entries, SortedMap<IndexKey, Optional<IndexEntry>> edits) {
        edits.forEach((key, entry) -> entry.ifPresentOrElse(put -> entries.put(key, put), () -> entries.remove(key)));
    }

    Tree build(SortedMap<IndexKey, IndexEntry> entries) {
        return editor.apply(Tree.EMPTY, puts(entries), heap);
    }

    Tree edit(Tree tree, SortedMap<IndexKey, Optional<IndexEntry>> edits) {
        return editor.apply(tree, edits, heap);
    }

    /** The levels of a tree from its root down, each node as its items; addresses are left out. */
    List<String> shape(Tree tree) {
        List<String> lines = new ArrayList<>();
        if (!tree.isEmpty()) {
            lines.add(tree.level() + " " + tree.count() + " " + tree.sum());
            describe(heap.node(tree.root()), lines);
        }
        return lines;
    }

    private void describe(Node node, List<String> lines) {
        switch (node) {
            case Node.Leaf leaf ->
                leaf.entries()
                        .forEach(entry -> lines.add("0 " + entry.key() + " " + entry.seq() + " " + entry.contentId()
                                + " " + entry.content().digest()));
            case Node.Inner inner -> {
                for (Node.Child child : inner.children()) {
                    lines.add(inner.level() + " " + child.boundary() + " " + child.count() + " " + child.sum());
                    describe(heap.node(child.address()), lines);
                }
            }
        }
    }

    /** The nodes of a tree, parents first. */
    List<Node> nodesOf(Tree tree) {
        List<Node> nodes = new ArrayList<>();
        if (!tree.isEmpty()) {
            collect(heap.node(tree.root()), nodes);
        }
        return nodes;
    }

    private void collect(Node node, List<Node> nodes) {
        nodes.add(node);
        if (node instanceof Node.Inner inner) {
            inner.children().forEach(child -> collect(heap.node(child.address()), nodes));
        }
    }
}
