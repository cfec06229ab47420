package org.anabranch.index;

import com.google.common.collect.Iterators;
import com.google.common.collect.PeekingIterator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import org.anabranch.object.IndexKey;
import org.anabranch.object.Node;
import org.anabranch.object.NodeAddress;
import org.anabranch.object.ObjectReader;
import org.anabranch.object.Tree;
import org.jspecify.annotations.Nullable;

/** Finds the nodes of one tree and their neighbours on the same level. Keeps what it read. */
final class TreeWalk {

    /**
     * A node at its place in the tree.
     *
     * @param parent null for the root
     * @param index of the node among its parent's children
     */
    record Place(@Nullable Place parent, Node.Child child, int index) {}

    private final ObjectReader reader;
    private final Tree tree;
    private final Map<NodeAddress, Node> nodes = new HashMap<>();
    private final Place root;

    /** A tree that is not empty. */
    TreeWalk(ObjectReader reader, Tree tree) {
        this.reader = reader;
        this.tree = tree;
        IndexKey boundary = node(tree.root()).lastKey();
        this.root = new Place(null, new Node.Child(boundary, tree.root(), tree.count(), tree.sum()), 0);
    }

    Node.Child root() {
        return root.child();
    }

    private Node node(NodeAddress address) {
        return nodes.computeIfAbsent(address, reader::node);
    }

    Node node(Place place) {
        return node(place.child().address());
    }

    /** Reads the nodes that hold keys or would hold them, each level in one bulk read. */
    void readPathsTo(SortedSet<IndexKey> keys) {
        List<NodeAddress> parents = List.of(tree.root());
        for (int level = tree.level(); level > 0; level--) {
            List<NodeAddress> children = new ArrayList<>();
            PeekingIterator<IndexKey> rest = Iterators.peekingIterator(keys.iterator());
            for (int parent = 0; parent < parents.size(); parent++) {
                List<Node.Child> siblings = ((Node.Inner) node(parents.get(parent))).children();
                // Keys behind all others belong to the last node.
                int last = parent == parents.size() - 1 ? siblings.size() - 1 : siblings.size();
                while (rest.hasNext()) {
                    int at = Math.min(KeyIndex.childFor(siblings, rest.peek()), last);
                    if (at == siblings.size()) {
                        break;
                    }
                    Node.Child child = siblings.get(at);
                    children.add(child.address());
                    skip(rest, at == last ? null : child.boundary());
                }
            }
            List<NodeAddress> missing = children.stream()
                    .filter(address -> !nodes.containsKey(address))
                    .toList();
            List<Node> read = missing.isEmpty() ? List.of() : reader.nodes(missing);
            for (int i = 0; i < read.size(); i++) {
                nodes.put(missing.get(i), read.get(i));
            }
            parents = children;
        }
    }

    /** Moves past the keys up to a boundary; past all for null. */
    private static void skip(PeekingIterator<IndexKey> keys, @Nullable IndexKey boundary) {
        while (keys.hasNext() && (boundary == null || keys.peek().compareTo(boundary) <= 0)) {
            keys.next();
        }
    }

    /** The node of a level that holds a key or would hold it. */
    Place find(int level, IndexKey key) {
        Place place = root;
        for (int at = tree.level(); at > level; at--) {
            List<Node.Child> children = children(place);
            int index = KeyIndex.childFor(children, key);
            int existing = Math.min(index, children.size() - 1);
            place = new Place(place, children.get(existing), existing);
        }
        return place;
    }

    boolean isLast(Place place) {
        return place.parent() == null
                || place.index() == children(place.parent()).size() - 1 && isLast(place.parent());
    }

    @Nullable
    Place next(Place place) {
        if (place.parent() == null) {
            return null;
        }
        int index = place.index() + 1;
        if (index < children(place.parent()).size()) {
            return new Place(place.parent(), children(place.parent()).get(index), index);
        }
        Place parent = next(place.parent());
        return parent == null ? null : new Place(parent, children(parent).get(0), 0);
    }

    @Nullable
    Place previous(Place place) {
        if (place.parent() == null) {
            return null;
        }
        if (place.index() > 0) {
            int index = place.index() - 1;
            return new Place(place.parent(), children(place.parent()).get(index), index);
        }
        Place parent = previous(place.parent());
        if (parent == null) {
            return null;
        }
        int index = children(parent).size() - 1;
        return new Place(parent, children(parent).get(index), index);
    }

    private List<Node.Child> children(Place place) {
        return ((Node.Inner) node(place)).children();
    }
}
