package org.anabranch.index;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.anabranch.object.IndexKey;
import org.anabranch.object.Node;
import org.anabranch.object.NodeAddress;
import org.anabranch.object.ObjectReader;
import org.anabranch.object.Sum;
import org.anabranch.object.Tree;
import org.jspecify.annotations.Nullable;

/**
 * Holds stored trees against the definition of their shape, order, counts and sums, without the code that edits trees. Safe from
 * many threads.
 */
public final class TreeCheck {

    private final ObjectReader reader;
    private final BoundaryRule rule;

    /** @param salt the 16 bytes of the repository that key the boundary hash */
    public TreeCheck(ObjectReader reader, byte[] salt) {
        this(reader, new BoundaryRule(salt));
    }

    TreeCheck(ObjectReader reader, BoundaryRule rule) {
        this.reader = reader;
        this.rule = rule;
    }

    /**
     * The first faults of a whole tree, in key order; empty if there are none. Reads every node once, the leaves below a node
     * together, and holds one path and one window of neighbours a level.
     */
    public List<TreeFault> whole(Tree tree) {
        List<TreeFault> faults = new ArrayList<>();
        if (!tree.isEmpty()) {
            List<Level> levels = new ArrayList<>();
            for (int level = 0; level <= tree.level(); level++) {
                levels.add(new Level(level, faults));
            }
            Node root = reader.node(tree.root());
            if (root instanceof Node.Inner(int level, List<Node.Child> children) && children.size() == 1) {
                faults.add(shape(level, root.lastKey(), "a root with several children", "one with a single child"));
            }
            walk(rootOf(tree), root, tree.level(), levels, faults);
            if (faults.isEmpty()) {
                levels.forEach(Level::end);
            }
        }
        return faults;
    }

    private void walk(Node.Child known, Node node, int level, List<Level> levels, List<TreeFault> faults) {
        TreeFault fault = fault(known, node, level);
        if (fault != null) {
            faults.add(fault);
        }
        if (!faults.isEmpty()) {
            return;
        }
        switch (node) {
            case Node.Leaf leaf -> {
                for (int i = 0; i < leaf.entries().size(); i++) {
                    levels.get(0)
                            .item(
                                    leaf.entries().get(i).key(),
                                    i == leaf.entries().size() - 1);
                }
            }
            case Node.Inner inner -> {
                List<Node.Child> children = inner.children();
                Iterator<Node> below = reader.nodes(
                                children.stream().map(Node.Child::address).toList())
                        .iterator();
                for (int i = 0; i < children.size() && faults.isEmpty(); i++) {
                    walk(children.get(i), below.next(), level - 1, levels, faults);
                    levels.get(level).item(children.get(i).boundary(), i == children.size() - 1);
                }
            }
        }
    }

    /**
     * The faults of those nodes of a tree that were born in its own row: order, level, count and sum, each node for itself. Says
     * nothing about where nodes end. Reads those nodes, each level in one bulk read.
     *
     * @param number of the tree's row
     */
    public List<TreeFault> bornIn(long number, Tree tree) {
        List<TreeFault> faults = new ArrayList<>();
        List<Node.Child> born = new ArrayList<>();
        if (!tree.isEmpty() && tree.root().commitNumber() == number) {
            born.add(rootOf(tree));
        }
        for (int level = tree.level(); !born.isEmpty(); level--) {
            List<NodeAddress> addresses = born.stream().map(Node.Child::address).toList();
            List<Node> nodes = reader.nodes(addresses);
            List<Node.Child> below = new ArrayList<>();
            for (int i = 0; i < nodes.size(); i++) {
                TreeFault fault = fault(born.get(i), nodes.get(i), level);
                if (fault != null) {
                    faults.add(fault);
                }
                if (nodes.get(i) instanceof Node.Inner inner && inner.level() == level) {
                    inner.children().stream()
                            .filter(child -> child.address().commitNumber() == number)
                            .forEach(below::add);
                }
            }
            born = below;
        }
        return faults;
    }

    /** What a tree's header knows of its root; of the boundary it knows nothing. */
    private Node.Child rootOf(Tree tree) {
        return new Node.Child(reader.node(tree.root()).lastKey(), tree.root(), tree.count(), tree.sum());
    }

    private static @Nullable TreeFault fault(Node.Child known, Node node, int level) {
        if (node.level() != level || level == 0 && node instanceof Node.Inner) {
            return shape(level, known.boundary(), "a node of level " + level, "one of level " + node.level());
        }
        List<IndexKey> keys =
                switch (node) {
                    case Node.Leaf leaf ->
                        leaf.entries().stream().map(entry -> entry.key()).toList();
                    case Node.Inner inner ->
                        inner.children().stream().map(Node.Child::boundary).toList();
                };
        for (int i = 1; i < keys.size(); i++) {
            if (keys.get(i - 1).compareTo(keys.get(i)) >= 0) {
                return order(level, keys.get(i - 1), keys.get(i));
            }
        }
        if (!node.lastKey().equals(known.boundary())) {
            return shape(level, known.boundary(), "a node up to " + known.boundary(), "one up to " + node.lastKey());
        }
        long count =
                switch (node) {
                    case Node.Leaf leaf -> leaf.entries().size();
                    case Node.Inner inner ->
                        inner.children().stream().mapToLong(Node.Child::count).sum();
                };
        if (count != known.count()) {
            return new TreeFault(
                    TreeFault.Kind.COUNT, level, known.boundary(), count + " keys", known.count() + " keys");
        }
        Sum sum = Sum.of(node);
        return sum.equals(known.sum())
                ? null
                : new TreeFault(
                        TreeFault.Kind.SUM,
                        level,
                        known.boundary(),
                        sum.toString(),
                        known.sum().toString());
    }

    private static TreeFault order(int level, IndexKey before, IndexKey key) {
        return new TreeFault(TreeFault.Kind.ORDER, level, key, "a key after " + before, key.toString());
    }

    private static TreeFault shape(int level, IndexKey key, String expected, String actual) {
        return new TreeFault(TreeFault.Kind.SHAPE, level, key, expected, actual);
    }

    /** The items of a level as they pass by: each is judged once its neighbours on both sides are known. */
    private final class Level {

        private record Item(IndexKey key, long hash, boolean endsNode) {}

        private final int level;
        private final int neighbours;
        private final List<TreeFault> faults;
        /** The next item to be judged and its neighbours. */
        private final Deque<Item> window = new ArrayDeque<>();

        private @Nullable IndexKey last;
        private int before;
        private int itemsOfNode;

        private Level(int level, List<TreeFault> faults) {
            this.level = level;
            this.neighbours = rule.neighbours(level);
            this.faults = faults;
        }

        private void item(IndexKey key, boolean endsNode) {
            if (last != null && last.compareTo(key) >= 0) {
                faults.add(order(level, last, key));
                return;
            }
            last = key;
            window.add(new Item(key, rule.hash(level, key), endsNode));
            if (window.size() > before + neighbours) {
                judge(false);
            }
        }

        private void end() {
            while (window.size() > before) {
                judge(window.size() == before + 1);
            }
        }

        private void judge(boolean isLast) {
            Iterator<Item> items = window.iterator();
            List<Item> left = new ArrayList<>();
            for (int i = 0; i < before; i++) {
                left.add(items.next());
            }
            Item item = items.next();
            boolean natural = before == neighbours
                    && window.size() == 2 * neighbours + 1
                    && left.stream().allMatch(one -> Long.compareUnsigned(item.hash(), one.hash()) < 0);
            while (natural && items.hasNext()) {
                natural = Long.compareUnsigned(item.hash(), items.next().hash()) < 0;
            }
            itemsOfNode++;
            boolean ends = natural || itemsOfNode == rule.maxItems(level) || isLast;
            if (ends != item.endsNode() && faults.isEmpty()) {
                faults.add(shape(
                        level,
                        item.key(),
                        ends ? "a node that ends here" : "a node that goes on",
                        ends ? "one that goes on" : "one that ends here"));
            }
            itemsOfNode = ends ? 0 : itemsOfNode;
            if (before == neighbours) {
                window.remove();
            } else {
                before++;
            }
        }
    }
}
