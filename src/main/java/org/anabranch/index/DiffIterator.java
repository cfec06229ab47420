package org.anabranch.index;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.Node;
import org.anabranch.object.NodeAddress;
import org.anabranch.object.ObjectReader;
import org.anabranch.object.Sum;
import org.anabranch.object.Tree;
import org.jspecify.annotations.Nullable;

/**
 * Walks two trees side by side and returns the keys whose values differ.
 *
 * <p>Each side stands at an element: a subtree that is not opened, or an entry. All keys of elements before are dealt with. A
 * subtree's keys lie after the key that its side passed last, up to its boundary. So:
 *
 * <ol>
 *   <li>Subtrees of one level with equal sums hold the same: both are skipped, also if they do not start at the same key.
 *   <li>An element that lies before all that the other side has left is one-sided: an entry is returned, a subtree opened.
 *   <li>Otherwise the keys overlap: of two subtrees the higher is opened, or both; a subtree beside an entry is opened.
 *   <li>Two entries are compared.
 * </ol>
 *
 * What is opened is read together with those siblings that will probably be opened next, because the other side has no sibling
 * of equal sum.
 */
final class DiffIterator implements Iterator<EntryDiff> {

    private static final int MOST_NODES_AHEAD = 64;

    /** One tree: the path to where it stands. */
    private static final class Side {

        private static final class Frame {
            private final Node node;
            private int index;

            private Frame(Node node, int index) {
                this.node = node;
                this.index = index;
            }
        }

        private final KeyRange range;
        private final Deque<Frame> path = new ArrayDeque<>();
        private @Nullable IndexKey passed;

        private Side(KeyRange range) {
            this.range = range;
        }

        private void enter(Node node) {
            IndexKey from = range.from();
            int index = 0;
            if (from != null) {
                index = switch (node) {
                    case Node.Leaf leaf -> KeyIndex.entryFor(leaf.entries(), from);
                    case Node.Inner inner -> KeyIndex.childFor(inner.children(), from);
                };
            }
            if (index > 0) {
                passed = switch (node) {
                    case Node.Leaf leaf -> leaf.entries().get(index - 1).key();
                    case Node.Inner inner -> inner.children().get(index - 1).boundary();
                };
            }
            path.push(new Frame(node, index));
            settle();
        }

        /** Opens the subtree it stands at. */
        private void open(Node node) {
            path.element().index++;
            enter(node);
        }

        private void skip() {
            IndexEntry entry = entry();
            Node.Child subtree = subtree();
            passed = entry != null ? entry.key() : subtree != null ? subtree.boundary() : passed;
            path.element().index++;
            settle();
        }

        /** Leaves nodes that are done, and the tree if the rest lies after the range. */
        private void settle() {
            while (!path.isEmpty() && path.element().index == size(path.element().node)) {
                path.remove();
            }
            IndexEntry entry = entry();
            boolean afterRange = entry != null
                    ? !KeyIndex.isBefore(entry.key(), range.until())
                    : passed != null && !KeyIndex.isBefore(passed, range.until());
            if (afterRange) {
                path.clear();
            }
        }

        private static int size(Node node) {
            return switch (node) {
                case Node.Leaf leaf -> leaf.entries().size();
                case Node.Inner inner -> inner.children().size();
            };
        }

        private boolean isDone() {
            return path.isEmpty();
        }

        private @Nullable IndexEntry entry() {
            return !path.isEmpty() && path.element().node instanceof Node.Leaf leaf
                    ? leaf.entries().get(path.element().index)
                    : null;
        }

        private Node.@Nullable Child subtree() {
            return !path.isEmpty() && path.element().node instanceof Node.Inner inner
                    ? inner.children().get(path.element().index)
                    : null;
        }

        /** The level of the node whose items it goes through. */
        private int level() {
            return path.element().node.level();
        }

        /** The subtree it stands at and its siblings behind it; none if it stands at an entry. */
        private List<Node.Child> subtrees() {
            return !path.isEmpty() && path.element().node instanceof Node.Inner inner
                    ? inner.children()
                            .subList(path.element().index, inner.children().size())
                    : List.of();
        }

        /** Whether a key lies before all keys of the element it stands at. */
        private boolean isAfter(IndexKey key) {
            IndexEntry entry = entry();
            return entry != null ? key.compareTo(entry.key()) < 0 : passed != null && key.compareTo(passed) <= 0;
        }
    }

    private final ObjectReader reader;
    private final KeyRange range;
    private final Side from;
    private final Side to;
    private final Map<NodeAddress, Node> ahead = new HashMap<>();
    private int nodesAhead = 4;
    private @Nullable EntryDiff next;

    DiffIterator(ObjectReader reader, Tree from, Tree to, KeyRange range) {
        this.reader = reader;
        this.range = range;
        this.from = new Side(range);
        this.to = new Side(range);
        if (!from.sum().equals(to.sum())) {
            List<NodeAddress> roots = new ArrayList<>();
            for (Tree tree : List.of(from, to)) {
                if (!tree.isEmpty()) {
                    roots.add(tree.root());
                }
            }
            Iterator<Node> nodes = reader.nodes(roots).iterator();
            if (!from.isEmpty()) {
                this.from.enter(nodes.next());
            }
            if (!to.isEmpty()) {
                this.to.enter(nodes.next());
            }
        }
        next = findNext();
    }

    @Override
    public boolean hasNext() {
        return next != null;
    }

    @Override
    public EntryDiff next() {
        EntryDiff result = next;
        if (result == null) {
            throw new NoSuchElementException();
        }
        next = findNext();
        return result;
    }

    private @Nullable EntryDiff findNext() {
        while (!from.isDone() || !to.isDone()) {
            IndexEntry one = from.entry();
            IndexEntry other = to.entry();
            if (one != null && other != null && one.key().equals(other.key())) {
                from.skip();
                to.skip();
                if (!one.hasSameValueAs(other)) {
                    return new EntryDiff(one.key(), one, other);
                }
            } else if (one != null && (to.isDone() || to.isAfter(one.key()))) {
                from.skip();
                return new EntryDiff(one.key(), one, null);
            } else if (other != null && (from.isDone() || from.isAfter(other.key()))) {
                to.skip();
                return new EntryDiff(other.key(), null, other);
            } else {
                skipOrOpen(from.subtree(), to.subtree());
            }
        }
        return null;
    }

    /** Deals with two elements of which one at least is a subtree. */
    private void skipOrOpen(Node.@Nullable Child one, Node.@Nullable Child other) {
        if (one == null) {
            open(List.of(to));
        } else if (other == null) {
            open(List.of(from));
        } else if (from.level() == to.level() && one.sum().equals(other.sum())) {
            from.skip();
            to.skip();
        } else if (to.isAfter(one.boundary())) {
            open(List.of(from));
        } else if (from.isAfter(other.boundary())) {
            open(List.of(to));
        } else if (from.level() == to.level()) {
            open(List.of(from, to));
        } else {
            open(List.of(from.level() > to.level() ? from : to));
        }
    }

    private void open(List<Side> sides) {
        Set<NodeAddress> missing = new LinkedHashSet<>();
        for (Side side : sides) {
            missing.add(side.subtrees().get(0).address());
        }
        missing.removeAll(ahead.keySet());
        if (!missing.isEmpty()) {
            int most = missing.size() + nodesAhead;
            addUnlike(missing, from, to, most);
            addUnlike(missing, to, from, most);
            nodesAhead = Math.min(2 * nodesAhead, MOST_NODES_AHEAD);
            List<NodeAddress> addresses = List.copyOf(missing);
            List<Node> nodes = reader.nodes(addresses);
            for (int i = 0; i < nodes.size(); i++) {
                ahead.put(addresses.get(i), nodes.get(i));
            }
        }
        for (Side side : sides) {
            side.open(ahead.remove(side.subtrees().get(0).address()));
        }
    }

    /** Adds siblings of the element of one side that have no equal among those of the other, if that can be told. */
    private void addUnlike(Set<NodeAddress> addresses, Side side, Side other, int most) {
        if (side.isDone() || !other.isDone() && side.level() != other.level()) {
            return;
        }
        Set<Sum> sums = new HashSet<>();
        other.subtrees().forEach(subtree -> sums.add(subtree.sum()));
        IndexKey after = null;
        for (Node.Child subtree : side.subtrees()) {
            if (addresses.size() == most || after != null && !KeyIndex.isBefore(after, range.until())) {
                return;
            }
            if (!sums.contains(subtree.sum()) && !ahead.containsKey(subtree.address())) {
                addresses.add(subtree.address());
            }
            after = subtree.boundary();
        }
    }
}
