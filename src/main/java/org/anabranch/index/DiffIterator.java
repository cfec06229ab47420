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
 *   <li>Subtrees of one level with equal sums hold the same: both are skipped, also if they do not start at the same key. So are
 *       equal entries.
 *   <li>What lies between the ranges that are asked for is leapt over.
 *   <li>An element that lies before all that the other side has left is one-sided: an entry is returned, a subtree opened.
 *   <li>Otherwise the keys overlap: of two subtrees the higher is opened, or both; a subtree beside an entry is opened.
 *   <li>Two entries of one key are returned.
 * </ol>
 *
 * What is opened is read together with what will probably be opened next: subtrees of the same level further on that have no
 * equal sum among those of the other side. So a long diff costs few bulk reads, and memory stays bounded.
 */
final class DiffIterator implements Iterator<EntryDiff> {

    private static final int MOST_NODES_AHEAD = 128;

    /**
     * A subtree that may be opened later.
     *
     * @param before lies before all its keys, if that is known; null before all keys
     */
    private record Upcoming(@Nullable IndexKey before, Node.Child child) {}

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

        private final KeyRanges ranges;
        private final Deque<Frame> path = new ArrayDeque<>();
        /** Nodes that were read and not opened yet, in key order on each level. */
        private final Map<NodeAddress, Node> ahead = new LinkedHashMap<>();

        private @Nullable IndexKey passed;

        /** The first range that does not end before what is left, as far as that is known; null behind the last. */
        private @Nullable KeyRange wanted;

        private Side(KeyRanges ranges) {
            this.ranges = ranges;
            this.wanted = ranges.endingBehind(null);
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

        private void enter(Node node) {
            path.push(new Frame(node, 0));
        }

        private void skip() {
            moveTo(path.element().index + 1);
        }

        private void moveTo(int index) {
            Frame top = path.element();
            passed = lastKey(top.node, index - 1);
            top.index = index;
            while (!path.isEmpty() && path.element().index == size(path.element().node)) {
                path.remove();
            }
        }

        /** Leaps over what lies between the ranges, and leaves the tree behind the last one. Returns whether it moved. */
        private boolean leap() {
            boolean moved = false;
            while (!path.isEmpty()) {
                Frame top = path.element();
                IndexEntry entry = entry();
                IndexKey place = entry == null ? passed : entry.key();
                if (wanted != null && place != null && !KeyIndex.isBefore(place, wanted.until())) {
                    wanted = ranges.endingBehind(place);
                }
                if (wanted == null) {
                    path.clear();
                    return true;
                }
                IndexKey begin = wanted.from();
                if (begin == null || lastKey(top.node, top.index).compareTo(begin) >= 0) {
                    return moved;
                }
                moveTo(firstFor(top.node, begin));
                moved = true;
            }
            return moved;
        }

        /** The first item of a node that can hold a key or a greater one. */
        private static int firstFor(Node node, IndexKey key) {
            return switch (node) {
                case Node.Leaf leaf -> KeyIndex.entryFor(leaf.entries(), key);
                case Node.Inner inner -> KeyIndex.childFor(inner.children(), key);
            };
        }

        /** The last key of an item of a node. */
        private static IndexKey lastKey(Node node, int index) {
            return switch (node) {
                case Node.Leaf leaf -> leaf.entries().get(index).key();
                case Node.Inner inner -> inner.children().get(index).boundary();
            };
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

        /** The subtree it stands at, its siblings behind it, and the children of what was read ahead on their parents' level. */
        private List<Upcoming> upcoming() {
            List<Upcoming> upcoming = new ArrayList<>();
            if (!path.isEmpty() && path.element().node instanceof Node.Inner inner) {
                add(upcoming, inner, path.element().index);
                for (Node read : ahead.values()) {
                    if (read instanceof Node.Inner next && next.level() == inner.level()) {
                        add(upcoming, next, 0);
                    }
                }
            }
            return upcoming;
        }

        private void add(List<Upcoming> upcoming, Node.Inner node, int index) {
            for (int i = index; i < node.children().size(); i++) {
                IndexKey before = i > 0
                        ? node.children().get(i - 1).boundary()
                        : upcoming.isEmpty()
                                ? passed
                                : upcoming.getLast().child().boundary();
                upcoming.add(new Upcoming(before, node.children().get(i)));
            }
        }

        /** Whether a subtree can hold keys of the ranges. */
        private boolean wants(Upcoming subtree) {
            KeyRange range = ranges.endingBehind(subtree.before());
            IndexKey begin = range == null ? null : range.from();
            return range != null
                    && (begin == null || begin.compareTo(subtree.child().boundary()) <= 0);
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

    DiffIterator(ObjectReader reader, Tree from, Tree to, KeyRanges ranges) {
        this.reader = reader;
        this.from = new Side(ranges);
        this.to = new Side(ranges);
        if (ranges.endingBehind(null) != null && !from.sum().equals(to.sum())) {
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
            if (areEqual(one, other) || areEqual(from.subtree(), to.subtree())) {
                from.skip();
                to.skip();
            } else if (from.leap() | to.leap()) {
                // They stand elsewhere, where they can be equal again.
            } else if (one != null && other != null && one.key().equals(other.key())) {
                from.skip();
                to.skip();
                return new EntryDiff(one.key(), one, other);
            } else if (one != null && (to.isDone() || to.isAfter(one.key()))) {
                from.skip();
                return new EntryDiff(one.key(), one, null);
            } else if (other != null && (from.isDone() || from.isAfter(other.key()))) {
                to.skip();
                return new EntryDiff(other.key(), null, other);
            } else {
                open(from.subtree(), to.subtree());
            }
        }
        return null;
    }

    private static boolean areEqual(@Nullable IndexEntry one, @Nullable IndexEntry other) {
        return one != null && other != null && one.key().equals(other.key()) && one.hasSameValueAs(other);
    }

    private boolean areEqual(Node.@Nullable Child one, Node.@Nullable Child other) {
        return one != null
                && other != null
                && from.level() == to.level()
                && one.sum().equals(other.sum());
    }

    /** Opens one of two elements of which one at least is a subtree, or both. */
    private void open(Node.@Nullable Child one, Node.@Nullable Child other) {
        if (one == null) {
            open(List.of(to));
        } else if (other == null) {
            open(List.of(from));
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
                List<Upcoming> ofFrom = from.upcoming();
                List<Upcoming> ofTo = to.upcoming();
                addUnlike(missing, from, ofFrom, ofTo, missing.size() + nodesAhead / 2);
                addUnlike(missing, to, ofTo, ofFrom, most);
            }
            nodesAhead = Math.min(2 * nodesAhead, MOST_NODES_AHEAD);
            Iterator<Node> nodes = reader.nodes(List.copyOf(missing.keySet())).iterator();
            missing.forEach((address, side) -> side.ahead.put(address, nodes.next()));
        }
        sides.forEach(Side::open);
    }

    /** Adds subtrees of one side that are wanted and have no equal among those of the other. */
    private static void addUnlike(
            Map<NodeAddress, Side> missing, Side side, List<Upcoming> ofSide, List<Upcoming> ofOther, int most) {
        Set<Sum> sums = new HashSet<>();
        ofOther.forEach(subtree -> sums.add(subtree.child().sum()));
        for (Upcoming subtree : ofSide) {
            if (missing.size() >= most) {
                return;
            }
            Node.Child child = subtree.child();
            if (!sums.contains(child.sum()) && !side.ahead.containsKey(child.address()) && side.wants(subtree)) {
                missing.putIfAbsent(child.address(), side);
            }
        }
    }
}
