package org.anabranch.testing;

import java.util.List;
import java.util.stream.Collectors;
import org.anabranch.filter.Conditions;
import org.anabranch.security.Access;
import org.anabranch.security.Principal;
import org.anabranch.security.RulesFile;

/** Who asks in tests. */
public final class Callers {

    /** Somebody without a name, where no rules are in force. */
    public static final Access UNRESTRICTED = Access.unrestricted(new Principal("", List.of()));

    private static final Conditions CONDITIONS = new Conditions();

    private Callers() {}

    /**
     * Somebody with a name and no roles, by rules.
     *
     * @param rules one in a line, in the form of rules files: {@code allow: [read], references: [main]}
     */
    public static Access ruled(String name, String rules) {
        String file = rules.lines().map(rule -> "  - {" + rule + "}").collect(Collectors.joining("\n", "rules:\n", ""));
        return RulesFile.parse(file, CONDITIONS).of(new Principal(name, List.of()));
    }

    /** Somebody with a name, where no rules are in force. */
    public static Access unrestricted(String name) {
        return Access.unrestricted(new Principal(name, List.of()));
    }
}
