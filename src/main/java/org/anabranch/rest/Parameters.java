package org.anabranch.rest;

import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.anabranch.model.ContentKey;
import org.anabranch.model.Detail;
import org.anabranch.model.HashSpec;
import org.anabranch.model.KeyEncoding;
import org.anabranch.model.KeySelection;
import org.anabranch.model.RefSpec;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.ReferenceName;
import org.anabranch.model.RefusedException;
import org.jspecify.annotations.Nullable;

/** Reads path and query parameters. What cannot be read is refused with the parameter's name, its value and what it takes. */
final class Parameters {

    private Parameters() {}

    static RefSpec reference(String parameter, String text) {
        try {
            return RefSpec.parse(text);
        } catch (IllegalArgumentException e) {
            throw RefusedException.badRequest(parameter + ": " + e.getMessage());
        }
    }

    /** Empty for the key without elements. */
    static Optional<ContentKey> key(String parameter, String text) {
        try {
            return KeyEncoding.decode(text);
        } catch (IllegalArgumentException e) {
            throw RefusedException.badRequest(parameter + ": " + e.getMessage());
        }
    }

    static ContentKey requiredKey(String parameter, String text) {
        return key(parameter, text)
                .orElseThrow(() -> RefusedException.badRequest(parameter + ": '" + text + "' has no elements"));
    }

    /** Empty also if the parameter is absent. */
    static Optional<ContentKey> optionalKey(String parameter, @Nullable String text) {
        return text == null ? Optional.empty() : key(parameter, text);
    }

    /** The keys that have elements; the others name nothing. */
    static List<ContentKey> keys(String parameter, List<String> texts) {
        return texts.stream()
                .flatMap(text -> key(parameter, text).stream())
                .distinct()
                .toList();
    }

    /** The values of a repeated parameter, empty ones included. */
    static List<String> all(String parameter, UriInfo query) {
        return query.getQueryParameters().getOrDefault(parameter, List.of());
    }

    /** The keys that a listing is asked for. */
    static KeySelection selection(
            UriInfo query, @Nullable String minKey, @Nullable String maxKey, @Nullable String prefixKey) {
        Optional<ContentKey> min = optionalKey("min-key", minKey);
        Optional<ContentKey> max = optionalKey("max-key", maxKey);
        Optional<ContentKey> prefix = optionalKey("prefix-key", prefixKey);
        List<String> keys = all("key", query);
        return new KeySelection(
                keys.isEmpty() ? null : new TreeSet<>(keys("key", keys)),
                min.orElse(null),
                max.orElse(null),
                prefix.orElse(null));
    }

    /** Whether contents are wanted, as a {@link #flag}. */
    static Detail detail(@Nullable String content) {
        return flag(content) ? Detail.ALL : Detail.MINIMAL;
    }

    static Detail fetch(@Nullable String text) {
        return switch (text) {
            case null -> Detail.MINIMAL;
            case "MINIMAL" -> Detail.MINIMAL;
            case "ALL" -> Detail.ALL;
            default -> throw cannotBeRead("fetch", text, "MINIMAL or ALL");
        };
    }

    /** Null if the parameter is absent or empty. */
    static @Nullable HashSpec optionalHash(String parameter, @Nullable String text) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        try {
            return HashSpec.parse(text);
        } catch (IllegalArgumentException e) {
            throw RefusedException.badRequest(parameter + ": " + e.getMessage());
        }
    }

    /** 0 if absent. */
    static int integer(String parameter, @Nullable String text) {
        if (text == null) {
            return 0;
        }
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw cannotBeRead(parameter, text, "a whole number of at most " + Integer.MAX_VALUE);
        }
    }

    /** Lenient, as clients send {@code True} and {@code true}: anything else is false. */
    static boolean flag(@Nullable String text) {
        return "true".equalsIgnoreCase(text);
    }

    static ReferenceName newName(String text) {
        try {
            return new ReferenceName(text);
        } catch (IllegalArgumentException e) {
            throw RefusedException.badRequest("name: " + e.getMessage());
        }
    }

    static ReferenceKind kind(String text) {
        return switch (text) {
            case "BRANCH", "branch" -> ReferenceKind.BRANCH;
            case "TAG", "tag" -> ReferenceKind.TAG;
            default ->
                throw RefusedException.badRequest(
                        "type: '" + text + "': Reference type name must be either 'branch' or 'tag'");
        };
    }

    static String required(String parameter, @Nullable String text) {
        if (text == null) {
            throw RefusedException.badRequest(parameter + ": must not be null");
        }
        return text;
    }

    static <T> T requiredBody(String name, @Nullable T body) {
        if (body == null) {
            throw RefusedException.badRequest(name + ": must not be null; the request needs a body");
        }
        return body;
    }

    static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static RefusedException cannotBeRead(String parameter, String text, String remedy) {
        return RefusedException.badRequest(parameter + ": cannot be read: '" + text + "'; give " + remedy);
    }
}
