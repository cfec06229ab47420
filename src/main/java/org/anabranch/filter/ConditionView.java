package org.anabranch.filter;

import java.util.List;

/**
 * What the condition of a rule is asked about.
 *
 * @param op what is to be done
 * @param role the caller's name; empty if there is none
 * @param ref name of a reference; empty if it is about none
 * @param path a key in its legacy form; empty if it is about none
 * @param contentType empty if that is not known
 */
public record ConditionView(String op, String role, List<String> roles, String ref, String path, String contentType) {

    /** The same of another key. */
    public ConditionView of(String otherPath, String otherContentType) {
        return new ConditionView(op, role, roles, ref, otherPath, otherContentType);
    }

    Object variable(String name) {
        return switch (name) {
            case "op" -> op;
            case "role" -> role;
            case "roles" -> roles;
            case "ref" -> ref;
            case "path" -> path;
            case "contentType" -> contentType;
            default -> throw new IllegalArgumentException("no variable '" + name + "'");
        };
    }
}
