package org.anabranch.versioning.merge;

import org.anabranch.model.VisibleKeys;

/**
 * What the caller of a merge, transplant or revert may be told and may do.
 *
 * @param source what they may read of the keys of the source
 * @param target what they may read of the keys of the target
 * @param areAsked whether the caller is asked for leave for each action of the plan, so that a later plan may not add to them
 */
public record MergeBounds(VisibleKeys source, VisibleKeys target, boolean areAsked) {

    /** Everything. */
    public static final MergeBounds NONE = new MergeBounds(VisibleKeys.ALL, VisibleKeys.ALL, false);
}
