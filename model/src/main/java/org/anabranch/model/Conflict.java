package org.anabranch.model;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One reason why an operation was refused.
 *
 * @param key null only for {@link ConflictType#UNEXPECTED_HASH}
 * @param message one clause without a full stop, starting in lower case, that names the key
 */
public record Conflict(ConflictType conflictType, @Nullable ContentKey key, String message) {

    /** The conflict of a key, in the words that its type has for everybody. */
    public static Conflict of(ConflictType type, ContentKey key) {
        String message =
                switch (type) {
                    case KEY_EXISTS -> "key '" + key + "' already exists";
                    case KEY_DOES_NOT_EXIST -> "key '" + key + "' does not exist";
                    case PAYLOAD_DIFFERS -> "key '" + key + "' holds another type of content than expected";
                    case CONTENT_ID_DIFFERS -> "key '" + key + "' holds another content id than expected";
                    // Iceberg's published tests look for these words.
                    case VALUE_DIFFERS -> "values of existing and expected content for key '" + key + "' are different";
                    case NAMESPACE_ABSENT -> "namespace '" + key + "' must exist";
                    case NOT_A_NAMESPACE -> "key '" + key + "' must be a namespace to hold other keys";
                    case NAMESPACE_NOT_EMPTY -> "namespace '" + key + "' is not empty";
                    case UNEXPECTED_HASH -> throw new IllegalArgumentException("A conflict of a reference has no key");
                };
        return new Conflict(type, key, message);
    }

    /** The messages of conflicts as one sentence. */
    public static String sentence(List<Conflict> conflicts) {
        if (conflicts.size() == 1) {
            String message = conflicts.get(0).message();
            return Character.toUpperCase(message.charAt(0)) + message.substring(1) + ".";
        }
        return conflicts.stream()
                .map(Conflict::message)
                .collect(Collectors.joining(", ", "Several conflicts prevent this commit: ", "."));
    }
}
