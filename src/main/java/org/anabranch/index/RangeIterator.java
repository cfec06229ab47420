package org.anabranch.index;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.Node;
import org.anabranch.object.NodeAddress;
import org.anabranch.object.ObjectReader;
import org.anabranch.object.Tree;
import org.jspecify.annotations.Nullable;

/** The entries of a range in key order. Holds a path of inner nodes and the leaves that were read ahead. */
final class RangeIterator implements Iterator<IndexEntry> {

    private static final int MOST_LEAVES_AHEAD = 32;

    /** Children of an inner node that are still to be visited. */
    private static final class Frame {
        private final Node.Inner node;
        private final Deque<Node> read = new ArrayDeque<>();
        private int next;

        private Frame(Node.Inner node, int next) {
            this.node = node;
            this.next = next;
        }
    }

    private final ObjectReader reader;
    private final KeyRange range;
    private final Deque<Frame> path = new ArrayDeque<>();
    private List<IndexEntry> leaf = List.of();
    private int next;
    private int leavesAhead = 1;

    /**
     * @param tree not empty
     */
    RangeIterator(ObjectReader reader, Tree tree, KeyRange range) {
        this.reader = reader;
        this.range = range;
        enter(reader.node(tree.root()));
        findNext();
    }

    @Override
    public boolean hasNext() {
        return next < leaf.size();
    }

    @Override
    public IndexEntry next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        IndexEntry entry = leaf.get(next++);
        findNext();
        return entry;
    }

    /** Moves on to an entry of the range, or to an empty leaf if none is left. */
    private void findNext() {
        while (next == leaf.size() && !path.isEmpty()) {
            Frame frame = path.element();
            if (frame.read.isEmpty()) {
                readAhead(frame);
            }
            if (frame.read.isEmpty()) {
                path.remove();
            } else {
                enter(frame.read.remove());
            }
        }
        if (next < leaf.size() && !KeyIndex.isBefore(leaf.get(next).key(), range.until())) {
            path.clear();
            leaf = List.of();
            next = 0;
        }
    }

    private void enter(Node node) {
        IndexKey from = range.from();
        switch (node) {
            case Node.Leaf entered -> {
                leaf = entered.entries();
                next = from == null ? 0 : KeyIndex.entryFor(leaf, from);
            }
            case Node.Inner inner ->
                path.push(new Frame(inner, from == null ? 0 : KeyIndex.childFor(inner.children(), from)));
        }
    }

    private void readAhead(Frame frame) {
        List<Node.Child> children = frame.node.children();
        int most = frame.node.level() == 1 ? leavesAhead : 1;
        List<NodeAddress> addresses = new ArrayList<>();
        while (frame.next < children.size() && addresses.size() < most && canHold(children, frame.next)) {
            addresses.add(children.get(frame.next++).address());
        }
        if (!addresses.isEmpty()) {
            frame.read.addAll(reader.nodes(addresses));
        }
        if (frame.node.level() == 1) {
            leavesAhead = Math.min(2 * leavesAhead, MOST_LEAVES_AHEAD);
        }
    }

    private boolean canHold(List<Node.Child> children, int index) {
        @Nullable IndexKey until = range.until();
        return index == 0 || KeyIndex.isBefore(children.get(index - 1).boundary(), until);
    }
}
