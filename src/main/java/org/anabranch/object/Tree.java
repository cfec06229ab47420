package org.anabranch.object;

/**
 * The key index of one commit: its root node.
 *
 * @param level of the root; 0 if it is a leaf
 * @param count how many keys it holds
 * @param sum of its keys and values
 */
public record Tree(NodeAddress root, int level, long count, Sum sum) {

    /** The index without keys. It has no node: nothing lies at its root's address. */
    public static final Tree EMPTY = new Tree(new NodeAddress(0, 0), 0, 0, new Sum(0, 0));

    public boolean isEmpty() {
        return count == 0;
    }
}
