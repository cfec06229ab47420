package org.anabranch.gc;

import java.util.List;

/** Looks again, before files are deleted, whether the catalog came to need more since it was marked. */
public interface LivenessCheck {

    /**
     * Reads all references again and marks what moved or appeared since the mark or the last call.
     *
     * @return pointers that are live now and were not in the mark; they are recorded as live already, but not expanded
     * @throws CatalogUnreadableException if a reference cannot be read: nothing may be deleted then
     */
    List<ContentPointer> markAgain();
}
