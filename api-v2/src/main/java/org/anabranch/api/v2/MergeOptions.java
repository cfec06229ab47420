package org.anabranch.api.v2;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.anabranch.model.Checks;
import org.anabranch.model.ContentKey;
import org.anabranch.model.MergeMode;
import org.jspecify.annotations.Nullable;

/**
 * What merges and transplants have in common.
 *
 * @param keyModes at most one per key
 * @param conflictsAsResult whether conflicts are an answer rather than an error
 */
public record MergeOptions(
        MergeMode defaultMode, List<KeyMergeModeBody> keyModes, boolean dryRun, boolean conflictsAsResult) {

    public MergeOptions {
        keyModes = Checks.copied("keyMergeModes", keyModes);
        Set<ContentKey> keys = new HashSet<>();
        for (KeyMergeModeBody mode : keyModes) {
            if (!keys.add(mode.key())) {
                throw new IllegalArgumentException("keyMergeModes: more than one entry for key '" + mode.key() + "'");
            }
        }
    }

    /** Takes each switch in both spellings in use; it is on if either is. */
    public static MergeOptions read(
            @Nullable MergeMode defaultMode,
            @Nullable List<KeyMergeModeBody> keyModes,
            @Nullable Boolean isDryRun,
            @Nullable Boolean dryRun,
            @Nullable Boolean isReturnConflictAsResult,
            @Nullable Boolean returnConflictAsResult) {
        return new MergeOptions(
                defaultMode == null ? MergeMode.NORMAL : defaultMode,
                keyModes == null ? List.of() : keyModes,
                Boolean.TRUE.equals(isDryRun) || Boolean.TRUE.equals(dryRun),
                Boolean.TRUE.equals(isReturnConflictAsResult) || Boolean.TRUE.equals(returnConflictAsResult));
    }

    /** @throws IllegalArgumentException if a text that may be absent is empty */
    public static void requireText(String field, @Nullable String value) {
        if (value != null && value.isEmpty()) {
            throw new IllegalArgumentException(field + ": must not be empty; leave it out to give none");
        }
    }
}
