package org.anabranch.store;

import org.anabranch.model.CommitId;

/**
 * A commit as others point at it.
 *
 * @param number of its row; 0 for no ancestor
 */
public record Head(long number, CommitId id) {

    /** Where an empty reference is. */
    public static final Head NO_ANCESTOR = new Head(0, CommitId.NO_ANCESTOR);
}
