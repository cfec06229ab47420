package org.anabranch.testing;

import java.util.List;
import org.anabranch.security.Access;
import org.anabranch.security.Principal;

/** Who asks in tests. */
public final class Callers {

    /** Somebody without a name, where no rules are in force. */
    public static final Access UNRESTRICTED = Access.unrestricted(new Principal("", List.of()));

    private Callers() {}

    /** Somebody with a name, where no rules are in force. */
    public static Access unrestricted(String name) {
        return Access.unrestricted(new Principal(name, List.of()));
    }
}
