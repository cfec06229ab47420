package org.anabranch.index;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
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
 * What is opened is read together with what will probably be opened next: subtrees of the same level further on that have no
 * equal sum among those of the other side. So a long diff costs few bulk reads, and memory stays bounded.
 */
final class DiffIterator implements Iterator<EntryDiff> {

    private static final int MOST_NODES_AHEAD = 128;

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
        /** Nodes that were read and not opened yet, in key order on each level. */
        private final Map<NodeAddress, Node> ahead = new LinkedHashMap<>();

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

        /** Opens the subtree it stands at, which was read. */
        private void open() {
            Node.Child subtree = subtree();
            Node node = subtree == null ? null : ahead.remove(subtree.address());
            if (node == null) {
                throw new IllegalStateException("Only a subtree that was read can be opened");
            }
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

        /**
         * The subtree it stands at, its siblings behind it, and the children of what was read ahead on their parents' level, as
         * far as they can hold keys of the range.
         */
        private List<Node.Child> upcoming() {
            List<Node.Child> upcoming = new ArrayList<>();
            if (!path.isEmpty() && path.element().node instanceof Node.Inner inner) {
                addWithin(upcoming, inner, path.element().index);
                for (Node read : ahead.values()) {
                    if (read instanceof Node.Inner next && next.level() == inner.level()) {
                        IndexKey from = range.from();
                        addWithin(upcoming, next, from == null ? 0 : KeyIndex.childFor(next.children(), from));
                    }
                }
            }
            return upcoming;
        }

        private void addWithin(List<Node.Child> upcoming, Node.Inner node, int index) {
            List<Node.Child> children = node.children();
            for (int i = index; i < children.size(); i++) {
                if (i > index && !KeyIndex.isBefore(children.get(i - 1).boundary(), range.until())) {
                    return;
                }
                upcoming.add(children.get(i));
            }
        }

        /** Whether a key lies before all keys of the element it stands at. */
        private boolean isAfter(IndexKey key) {
            IndexEntry entry = entry();
            return entry != null ? key.compareTo(entry.key()) < 0 : passed != null && key.compareTo(passed) <= 0;
        }
    }

    private final ObjectReader reader;
    private final Side from;
    private final Side to;
    private int nodesAhead = 4;
    private @Nullable EntryDiff next;

    DiffIterator(ObjectReader reader, Tree from, Tree to, KeyRange range) {
        this.reader = reader;
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

    /** Opens the subtrees that sides stand at. What must be read for it is read together with what will be. */
    private void open(List<Side> sides) {
        Map<NodeAddress, Side> missing = new LinkedHashMap<>();
        for (Side side : sides) {
            Node.Child subtree = side.subtree();
            if (subtree != null && !side.ahead.containsKey(subtree.address())) {
                missing.put(subtree.address(), side);
            }
        }
        if (!missing.isEmpty()) {
            int most = missing.size() + nodesAhead;
            if (from.isDone() || to.isDone() || from.level() == to.level()) {
                List<Node.Child> ofFrom = from.upcoming();
                List<Node.Child> ofTo = to.upcoming();
                addUnlike(missing, from, ofFrom, ofTo, missing.size() + nodesAhead / 2);
                addUnlike(missing, to, ofTo, ofFrom, most);
            }
            nodesAhead = Math.min(2 * nodesAhead, MOST_NODES_AHEAD);
            Iterator<Node> nodes = reader.nodes(List.copyOf(missing.keySet())).iterator();
            missing.forEach((address, side) -> side.ahead.put(address, nodes.next()));
        }
        sides.forEach(Side::open);
    }

    /** Adds subtrees of one side that have no equal among those of the other. */
    private static void addUnlike(
            Map<NodeAddress, Side> missing, Side side, List<Node.Child> ofSide, List<Node.Child> ofOther, int most) {
        Set<Sum> sums = new HashSet<>();
        ofOther.forEach(subtree -> sums.add(subtree.sum()));
        for (Node.Child subtree : ofSide) {
            if (missing.size() >= most) {
                return;
            }
            if (!sums.contains(subtree.sum()) && !side.ahead.containsKey(subtree.address())) {
                missing.putIfAbsent(subtree.address(), side);
            }
        }
    }
}
