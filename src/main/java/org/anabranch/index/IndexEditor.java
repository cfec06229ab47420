package org.anabranch.index;

import java.util.Optional;
import java.util.SortedMap;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.NodeSink;
import org.anabranch.object.ObjectReader;
import org.anabranch.object.Tree;

/** Applies edits to a key index. */
public final class IndexEditor {

    /**
     * @param salt the 16 bytes of the repository that key the boundary hash
     */
    public IndexEditor(ObjectReader reader, byte[] salt) {}

    /**
     * Puts and removes keys.
     *
     * @param edits per key the new entry, or empty to remove the key; removing an absent key does nothing
     * @param sink takes the new nodes
     * @return the edited index; {@code tree} itself if nothing changed
     */
    public Tree apply(Tree tree, SortedMap<IndexKey, Optional<IndexEntry>> edits, NodeSink sink) {
        throw new UnsupportedOperationException();
    }
}
