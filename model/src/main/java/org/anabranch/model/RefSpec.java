package org.anabranch.model;

import org.jspecify.annotations.Nullable;

/**
 * A commit or reference as a client names it: {@code name}, {@code name@hash~2}, {@code @hash}, {@code -}.
 *
 * @param name of a branch or tag; {@code -} for the default branch; null for a detached commit
 */
public record RefSpec(@Nullable String name, HashSpec commit) {

    public boolean isDetached() {
        return name == null;
    }
}
