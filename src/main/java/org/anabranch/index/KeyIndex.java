package org.anabranch.index;

import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.Node;
import org.anabranch.object.NodeAddress;
import org.anabranch.object.ObjectReader;
import org.anabranch.object.Tree;
import org.jspecify.annotations.Nullable;

/** Reads key indexes: lookup, range, count, diff. Safe from many threads; its iterators are for one. */
public final class KeyIndex {

    private final ObjectReader reader;

    public KeyIndex(ObjectReader reader) {
        this.reader = reader;
    }

    /** The entry of a key: one node read a level. */
    public Optional<IndexEntry> find(Tree tree, IndexKey key) {
        if (tree.isEmpty()) {
            return Optional.empty();
        }
        Node node = reader.node(tree.root());
        while (node instanceof Node.Inner inner) {
            int at = childFor(inner.children(), key);
            if (at == inner.children().size()) {
                return Optional.empty();
            }
            node = reader.node(inner.children().get(at).address());
        }
        return entryOf((Node.Leaf) node, key);
    }

    /** The entries of those keys that exist. Each level is fetched in one bulk read. */
    public SortedMap<IndexKey, IndexEntry> findAll(Tree tree, Collection<IndexKey> keys) {
        SortedMap<IndexKey, IndexEntry> found = new TreeMap<>();
        if (tree.isEmpty() || keys.isEmpty()) {
            return found;
        }
        if (keys.size() == 1) {
            // Most reads are of one key, and grouping keys by node costs more than walking down.
            IndexKey key = keys.iterator().next();
            find(tree, key).ifPresent(entry -> found.put(key, entry));
            return found;
        }
        descend(Map.of(tree.root(), keys.stream().distinct().sorted().toList()), (leaf, some) -> {
            for (IndexKey key : some) {
                entryOf(leaf, key).ifPresent(entry -> found.put(key, entry));
            }
        });
        return found;
    }

    /**
     * Reads the ways down to keys in several trees, one bulk read per level for all of them: for a reader with a cache, in which
     * those who ask for the keys one after the other then find them.
     */
    public void readAhead(Map<Tree, ? extends Collection<IndexKey>> keys) {
        Map<NodeAddress, List<IndexKey>> wanted = new LinkedHashMap<>();
        keys.forEach((tree, some) -> {
            if (!tree.isEmpty()) {
                wanted.merge(tree.root(), some.stream().distinct().sorted().toList(), KeyIndex::merged);
            }
        });
        descend(wanted, (leaf, some) -> {});
    }

    private void descend(Map<NodeAddress, List<IndexKey>> from, BiConsumer<Node.Leaf, List<IndexKey>> atLeaf) {
        Map<NodeAddress, List<IndexKey>> wanted = from;
        while (!wanted.isEmpty()) {
            Iterator<Node> nodes = reader.nodes(List.copyOf(wanted.keySet())).iterator();
            Map<NodeAddress, List<IndexKey>> below = new LinkedHashMap<>();
            for (List<IndexKey> some : wanted.values()) {
                switch (nodes.next()) {
                    case Node.Leaf leaf -> atLeaf.accept(leaf, some);
                    case Node.Inner inner -> share(inner.children(), some, below);
                }
            }
            wanted = below;
        }
    }

    /** Of nodes of several trees that share a child. */
    private static List<IndexKey> merged(List<IndexKey> some, List<IndexKey> others) {
        return Stream.concat(some.stream(), others.stream()).distinct().sorted().toList();
    }

    /** Says which of some sorted keys each child can hold; those past the last child are in none. */
    private static void share(List<Node.Child> children, List<IndexKey> keys, Map<NodeAddress, List<IndexKey>> below) {
        int from = 0;
        while (from < keys.size()) {
            int at = childFor(children, keys.get(from));
            if (at == children.size()) {
                return;
            }
            Node.Child child = children.get(at);
            int until = from + 1;
            while (until < keys.size() && keys.get(until).compareTo(child.boundary()) <= 0) {
                until++;
            }
            below.merge(child.address(), keys.subList(from, until), KeyIndex::merged);
            from = until;
        }
    }

    /**
     * The entries in a range in key order, read as the iterator moves. Holds a path of nodes and reads leaves ahead in growing
     * blocks: O(log n + entries returned) node reads.
     */
    public Iterator<IndexEntry> range(Tree tree, KeyRange range) {
        return tree.isEmpty() ? Collections.emptyIterator() : new RangeIterator(reader, tree, range);
    }

    /** How many keys lie in a range: O(log n) node reads. */
    public long count(Tree tree, KeyRange range) {
        long before = range.from() == null ? 0 : countBefore(tree, range.from());
        long until = range.until() == null ? tree.count() : countBefore(tree, range.until());
        return Math.max(0, until - before);
    }

    /**
     * Since when a key has been absent, at least: O(log n) node reads.
     *
     * <p>A node with keys on both sides of the absent one would hold it, so while that node was in the index, the key was absent.
     * The lowest such node is the one that other keys change least often: mostly a leaf. A key before or behind all others has
     * the root alone.
     *
     * @param tree not empty; its nodes were born on one first-parent line
     * @param key absent
     * @return number of a commit on that line after which the key was neither put nor removed
     */
    public long absentSince(Tree tree, IndexKey key) {
        NodeAddress address = tree.root();
        long since = address.commitNumber();
        Node node = reader.node(address);
        while (node instanceof Node.Inner inner) {
            int at = childFor(inner.children(), key);
            if (at == inner.children().size()) {
                return since;
            }
            since = at > 0 ? address.commitNumber() : since;
            address = inner.children().get(at).address();
            node = reader.node(address);
        }
        List<IndexEntry> entries = ((Node.Leaf) node).entries();
        int at = entryFor(entries, key);
        return at > 0 && at < entries.size() ? address.commitNumber() : since;
    }

    private static Optional<IndexEntry> entryOf(Node.Leaf leaf, IndexKey key) {
        int at = entryFor(leaf.entries(), key);
        return at < leaf.entries().size() && leaf.entries().get(at).key().equals(key)
                ? Optional.of(leaf.entries().get(at))
                : Optional.empty();
    }

    private long countBefore(Tree tree, IndexKey bound) {
        if (tree.isEmpty()) {
            return 0;
        }
        long count = 0;
        Node node = reader.node(tree.root());
        while (node instanceof Node.Inner inner) {
            int at = childFor(inner.children(), bound);
            count += inner.children().subList(0, at).stream()
                    .mapToLong(Node.Child::count)
                    .sum();
            if (at == inner.children().size()) {
                return count;
            }
            node = reader.node(inner.children().get(at).address());
        }
        return count + entryFor(((Node.Leaf) node).entries(), bound);
    }

    /**
     * The keys of some ranges whose values differ, in key order, read as the iterator moves. For d such keys O(d log n) node reads:
     * what has an equal {@code sum} on both sides is skipped, whatever {@code seq} and addresses say. Between the ranges nothing is
     * read but a path where one begins or ends among differences, and a range without any costs nothing.
     */
    public Iterator<EntryDiff> diff(Tree from, Tree to, KeyRanges ranges) {
        return new DiffIterator(reader, from, to, ranges);
    }

    /** The index of the first child that can hold a key or a greater one; the number of children if none can. */
    static int childFor(List<Node.Child> children, IndexKey key) {
        int low = 0;
        int high = children.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (children.get(middle).boundary().compareTo(key) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The index of the first entry that is not before a key; the number of entries if all are. */
    static int entryFor(List<IndexEntry> entries, IndexKey key) {
        int low = 0;
        int high = entries.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (entries.get(middle).key().compareTo(key) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Whether a key lies before the upper bound of a range. */
    static boolean isBefore(IndexKey key, @Nullable IndexKey until) {
        return until == null || key.compareTo(until) < 0;
    }
}
