package org.anabranch.model;

import org.jspecify.annotations.Nullable;

/**
 * A commit that changed a key.
 *
 * @param key as it was called then
 * @param renamedFrom the key that held the content before; null unless {@link ChangeKind#RENAMED}
 * @param renamedTo the key that holds the content afterwards; null unless {@link ChangeKind#DELETED}, and where the content ended
 * @param contentId of what the key holds after the commit; of what it held before if it holds nothing
 * @param content what the key holds after the commit; null where it was not asked for, and if the key holds nothing
 */
public record KeyHistoryEntry(
        CommitHeader commit,
        ContentKey key,
        ChangeKind change,
        @Nullable ContentKey renamedFrom,
        @Nullable ContentKey renamedTo,
        ContentId contentId,
        @Nullable Content content) {}
