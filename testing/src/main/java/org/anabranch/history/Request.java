package org.anabranch.history;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a client asked of one reference. */
public sealed interface Request {

    /** The name of the branch or tag that is read or changed. */
    String reference();

    /**
     * One commit on top of whatever the branch holds: a commit, a merge, a transplant or a revert.
     *
     * @param token the message of the commit; no other request has it
     * @param expected the commit that must be on the branch's first-parent line; null if the request names none
     * @param keys that nobody may have changed between {@code expected} and the commit, and every change of which is to another
     *     value; empty for requests whose conflicts are decided otherwise
     */
    record Append(String reference, String token, @Nullable String expected, Set<String> keys) implements Request {

        public Append {
            keys = Set.copyOf(keys);
        }
    }

    /** Makes a reference that must not be there. */
    record Create(String reference, String target) implements Request {}

    /** Moves a reference that must be at a commit. */
    record Assign(String reference, String expected, String target) implements Request {}

    /** Removes a reference that must be at a commit. */
    record Delete(String reference, String expected) implements Request {}

    /** Asks where a reference is. */
    record Read(String reference) implements Request {}
}
