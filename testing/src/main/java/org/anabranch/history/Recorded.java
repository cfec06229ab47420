package org.anabranch.history;

import java.util.Set;

/**
 * A commit as the repository shows it.
 *
 * @param parent the first one; {@link HistoryChecker#NOTHING} for the first commit of a line
 * @param token its message
 * @param keys that it put or deleted
 */
public record Recorded(String id, String parent, String token, Set<String> keys) {

    public Recorded {
        keys = Set.copyOf(keys);
    }
}
