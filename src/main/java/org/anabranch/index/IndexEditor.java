package org.anabranch.index;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.Node;
import org.anabranch.object.NodeSink;
import org.anabranch.object.ObjectReader;
import org.anabranch.object.Tree;

/** Applies edits to a key index. Pure: new nodes go to a sink. */
public final class IndexEditor {

    private final ObjectReader reader;
    private final BoundaryRule rule;

    /**
     * @param salt the 16 bytes of the repository that key the boundary hash
     */
    public IndexEditor(ObjectReader reader, byte[] salt) {
        this(reader, new BoundaryRule(salt));
    }

    IndexEditor(ObjectReader reader, BoundaryRule rule) {
        this.reader = reader;
        this.rule = rule;
    }

    /**
     * Puts and removes keys.
     *
     * <p>The shape of the result follows from its keys alone, whatever the order or batching of edits. Reads and writes, for m
     * edits, O(m log n) nodes: each level of the paths to the edits in one bulk read, and a neighbour of a node only where a
     * boundary moves. Into an empty index m edits cost O(m).
     *
     * @param edits per key the new entry, or empty to remove the key; removing an absent key does nothing
     * @param sink takes the new nodes
     * @return the edited index; {@code tree} itself if nothing changed
     */
    public Tree apply(Tree tree, SortedMap<IndexKey, Optional<IndexEntry>> edits, NodeSink sink) {
        if (tree.isEmpty()) {
            List<IndexEntry> entries =
                    edits.values().stream().flatMap(Optional::stream).toList();
            return build(Items.ENTRIES, entries, sink);
        }
        if (edits.isEmpty()) {
            return tree;
        }
        TreeWalk walk = new TreeWalk(reader, tree);
        NavigableSet<IndexKey> keys = new TreeSet<>(edits.keySet());
        walk.readPathsTo(keys);
        LevelEditor<IndexEntry> leaves = new LevelEditor<>(Items.ENTRIES, rule, walk, edits, keys, sink);
        SortedMap<IndexKey, Optional<Node.Child>> parentEdits = leaves.run();
        NavigableSet<IndexKey> orderEdits = leaves.parentOrderEdits();
        for (int level = 1; level <= tree.level() && !parentEdits.isEmpty(); level++) {
            LevelEditor<Node.Child> editor =
                    new LevelEditor<>(Items.children(level), rule, walk, parentEdits, orderEdits, sink);
            parentEdits = editor.run();
            orderEdits = editor.parentOrderEdits();
            if (editor.onlyItem() != null) {
                return root(editor.onlyItem(), level - 1);
            }
        }
        if (parentEdits.isEmpty()) {
            return tree;
        }
        SortedMap<IndexKey, Optional<Node.Child>> roots = new TreeMap<>();
        roots.put(walk.root().boundary(), Optional.of(walk.root()));
        roots.putAll(parentEdits);
        return above(
                tree.level(), roots.values().stream().flatMap(Optional::stream).toList(), sink);
    }

    /** The tree above the nodes of a level. */
    private Tree above(int level, List<Node.Child> nodes, NodeSink sink) {
        return nodes.size() == 1 ? root(nodes.get(0), level) : build(Items.children(level + 1), nodes, sink);
    }

    /** Builds nodes of items that are a whole level, and the levels above. */
    private <T> Tree build(Items<T> items, List<T> level, NodeSink sink) {
        if (level.isEmpty()) {
            return Tree.EMPTY;
        }
        List<Node.Child> nodes = new ArrayList<>();
        int start = 0;
        for (int end : rule.ends(items.level(), level.stream().map(items::key).toList())) {
            List<T> nodeItems = level.subList(start, end + 1);
            Node node = items.node(nodeItems);
            nodes.add(items.child(node, nodeItems, sink.add(node, null)));
            start = end + 1;
        }
        return above(items.level(), nodes, sink);
    }

    private static Tree root(Node.Child node, int level) {
        return new Tree(node.address(), level, node.count(), node.sum());
    }
}
