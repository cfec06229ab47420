package org.anabranch.api.v2;

import java.util.List;
import org.anabranch.model.Checks;
import org.anabranch.model.HashSpec;
import org.anabranch.model.RefSpec;
import org.jspecify.annotations.Nullable;

/** What the constructors of request bodies demand beyond {@link Checks}. */
final class Fields {

    private Fields() {}

    static <T> List<T> atLeastOne(String field, @Nullable List<T> values) {
        List<T> copy = Checks.copied(field, values);
        if (copy.isEmpty()) {
            throw new IllegalArgumentException(field + ": size must be between 1 and " + Integer.MAX_VALUE);
        }
        return copy;
    }

    /** The name of a reference to start from: a branch or tag, {@code -}, or {@code DETACHED}. */
    static String referenceName(String field, @Nullable String name) {
        Checks.required(field, name);
        if (!name.equals("-") && !RefSpec.isName(name)) {
            throw new IllegalArgumentException(field + ": '" + name + "': " + RefSpec.NAME_RULE);
        }
        return name;
    }

    /** A hash with or without steps; null if the field is absent. */
    static @Nullable HashSpec hashSpec(String field, @Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            return HashSpec.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(field + ": " + e.getMessage(), e);
        }
    }
}
