package org.anabranch.index;

import org.anabranch.object.IndexKey;
import org.jspecify.annotations.Nullable;

/**
 * Where a stored tree is not what its keys and values say.
 *
 * @param level of the node, 0 for leaves
 * @param key the last one of the node, or the one in question; null if the node is empty
 * @param expected what follows from the rest of the tree, in words
 * @param actual what is stored, in words
 */
public record TreeFault(Kind kind, int level, @Nullable IndexKey key, String expected, String actual) {

    public enum Kind {
        /** Keys do not rise. */
        ORDER,
        /** Nodes end elsewhere than the rule says, or lie on another level. */
        SHAPE,
        /** A count of keys is wrong. */
        COUNT,
        /** A hash of keys and values is wrong. */
        SUM
    }
}
