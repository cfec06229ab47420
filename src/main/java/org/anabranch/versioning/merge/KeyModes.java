package org.anabranch.versioning.merge;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.model.KeyMergeMode;
import org.anabranch.model.MergeMode;
import org.anabranch.model.RefusedException;

/**
 * How a merge or transplant treats its keys.
 *
 * @param defaultMode for keys without a mode of their own
 * @param byKey the modes that the request names
 */
record KeyModes(MergeMode defaultMode, SortedMap<ContentKey, KeyMergeMode> byKey) {

    KeyModes {
        byKey = Collections.unmodifiableSortedMap(new TreeMap<>(byKey));
    }

    /**
     * Checks what can be checked without knowing the source.
     *
     * @throws RefusedException 400 if a key has two modes, or a resolution that cannot be one
     */
    static KeyModes of(MergeMode defaultMode, List<KeyMergeMode> modes) {
        SortedMap<ContentKey, KeyMergeMode> byKey = new TreeMap<>();
        for (KeyMergeMode mode : modes) {
            if (byKey.put(mode.key(), mode) != null) {
                throw RefusedException.badRequest("keyMergeModes: more than one entry for key '" + mode.key() + "'");
            }
            Content resolved = mode.resolved();
            if (resolved == null) {
                continue;
            }
            String field = "resolvedContent for key '" + mode.key() + "'";
            if (mode.mode() != MergeMode.NORMAL) {
                throw RefusedException.badRequest(field + " needs the mode NORMAL and cannot go with " + mode.mode());
            }
            if (mode.expectedTarget() == null) {
                throw RefusedException.badRequest(
                        field + " needs an expectedTargetContent: the content of the target that it resolves");
            }
            if (resolved.id() == null) {
                throw RefusedException.badRequest(field + " needs a content id: that of the source's content");
            }
        }
        return new KeyModes(defaultMode, byKey);
    }

    /** Whether the request names a key. */
    boolean names(ContentKey key) {
        return byKey.containsKey(key);
    }

    MergeMode mode(ContentKey key) {
        KeyMergeMode own = byKey.get(key);
        return own == null ? defaultMode : own.mode();
    }

    /**
     * The mode of keys that are treated as one: the one that is named for any of them, else the default.
     *
     * @throws RefusedException 400 if different ones are named
     */
    MergeMode mode(List<ContentKey> keys) {
        List<ContentKey> named = keys.stream().filter(byKey::containsKey).toList();
        List<MergeMode> modes = named.stream().map(this::mode).distinct().toList();
        if (modes.size() > 1) {
            throw RefusedException.badRequest("keyMergeModes: the keys " + named
                    + " were renamed together on the source and need the same mode, not " + modes);
        }
        return modes.isEmpty() ? defaultMode : modes.get(0);
    }

    Optional<Content> expectedTarget(ContentKey key) {
        return Optional.ofNullable(byKey.get(key)).map(KeyMergeMode::expectedTarget);
    }

    Optional<Content> resolved(ContentKey key) {
        return Optional.ofNullable(byKey.get(key)).map(KeyMergeMode::resolved);
    }

    /** The keys named with {@link MergeMode#DROP}. */
    List<ContentKey> namedDrops() {
        List<ContentKey> drops = new ArrayList<>();
        byKey.forEach((key, mode) -> {
            if (mode.mode() == MergeMode.DROP) {
                drops.add(key);
            }
        });
        return drops;
    }

    /** The same modes, with neither expectation nor resolution for some keys. */
    KeyModes withoutContents(Set<ContentKey> keys) {
        SortedMap<ContentKey, KeyMergeMode> stripped = new TreeMap<>(byKey);
        stripped.replaceAll((key, mode) -> keys.contains(key) ? new KeyMergeMode(key, mode.mode(), null, null) : mode);
        return new KeyModes(defaultMode, stripped);
    }
}
