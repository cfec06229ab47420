package org.anabranch.api.v2;

import org.anabranch.model.Checks;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.model.KeyMergeMode;
import org.anabranch.model.MergeMode;
import org.jspecify.annotations.Nullable;

/** How a merge treats one key; documentation and metadata that a request may carry here are not kept. */
public record KeyMergeModeBody(
        ContentKey key,
        MergeMode mergeBehavior,
        @Nullable Content expectedTargetContent,
        @Nullable Content resolvedContent) {

    public KeyMergeModeBody {
        Checks.required("key", key);
        Checks.required("mergeBehavior", mergeBehavior);
    }

    public KeyMergeMode toMode() {
        return new KeyMergeMode(key, mergeBehavior, expectedTargetContent, resolvedContent);
    }
}
