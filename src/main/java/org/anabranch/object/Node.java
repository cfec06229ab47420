package org.anabranch.object;

import java.util.List;

/** A node of the key index, decoded. Its items are in strict key order and never empty. */
public sealed interface Node {

    /** 0 for leaves, one more for each level above. */
    int level();

    /** The last key below this node: its boundary. */
    IndexKey lastKey();

    record Leaf(List<IndexEntry> entries) implements Node {
        public Leaf {
            entries = List.copyOf(entries);
        }

        @Override
        public int level() {
            return 0;
        }

        @Override
        public IndexKey lastKey() {
            return entries.get(entries.size() - 1).key();
        }
    }

    record Inner(int level, List<Child> children) implements Node {
        public Inner {
            children = List.copyOf(children);
        }

        @Override
        public IndexKey lastKey() {
            return children.get(children.size() - 1).boundary();
        }
    }

    /**
     * A node as its parent knows it.
     *
     * @param boundary the last key below
     * @param count how many keys lie below
     * @param sum of the keys and values below
     */
    record Child(IndexKey boundary, NodeAddress address, long count, Sum sum) {}
}
