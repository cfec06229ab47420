package org.anabranch.index;

import java.util.List;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.Node;
import org.anabranch.object.NodeAddress;
import org.anabranch.object.Sum;

/** What the items of a level are: entries on level 0, nodes of the level below on every other. */
abstract class Items<T> {

    static final Items<IndexEntry> ENTRIES = new Entries();

    private final int level;

    private Items(int level) {
        this.level = level;
    }

    static Items<Node.Child> children(int level) {
        return new Children(level);
    }

    int level() {
        return level;
    }

    abstract List<T> of(Node node);

    abstract IndexKey key(T item);

    /** Whether one may stand for the other in a node: {@code seq} counts here, and where large contents lie does not. */
    abstract boolean same(T one, T other);

    abstract Node node(List<T> items);

    abstract long keys(List<T> items);

    /** A new node as its parent will know it. */
    Node.Child child(Node node, List<T> items, NodeAddress address) {
        return new Node.Child(node.lastKey(), address, keys(items), Sum.of(node));
    }

    private static final class Entries extends Items<IndexEntry> {

        private Entries() {
            super(0);
        }

        @Override
        List<IndexEntry> of(Node node) {
            return ((Node.Leaf) node).entries();
        }

        @Override
        IndexKey key(IndexEntry item) {
            return item.key();
        }

        @Override
        boolean same(IndexEntry one, IndexEntry other) {
            return one.seq() == other.seq() && one.hasSameValueAs(other);
        }

        @Override
        Node node(List<IndexEntry> items) {
            return new Node.Leaf(items);
        }

        @Override
        long keys(List<IndexEntry> items) {
            return items.size();
        }
    }

    private static final class Children extends Items<Node.Child> {

        private Children(int level) {
            super(level);
        }

        @Override
        List<Node.Child> of(Node node) {
            return ((Node.Inner) node).children();
        }

        @Override
        IndexKey key(Node.Child item) {
            return item.boundary();
        }

        @Override
        boolean same(Node.Child one, Node.Child other) {
            return one.equals(other);
        }

        @Override
        Node node(List<Node.Child> items) {
            return new Node.Inner(level(), items);
        }

        @Override
        long keys(List<Node.Child> items) {
            return items.stream().mapToLong(Node.Child::count).sum();
        }
    }
}
