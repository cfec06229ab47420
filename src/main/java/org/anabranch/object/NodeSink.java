package org.anabranch.object;

import org.jspecify.annotations.Nullable;

/** Takes the new nodes of one commit, children before parents, each level in key order. */
public interface NodeSink {

    /**
     * Adds a node.
     *
     * @param replaced the stored node that this one takes the place of, if there is one: it may be stored as edits of that
     * @return where it will lie
     */
    NodeAddress add(Node node, @Nullable NodeAddress replaced);
}
