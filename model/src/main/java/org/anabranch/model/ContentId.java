package org.anabranch.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.UUID;

/** The identity of a content, given by the server when it is created; it survives updates, renames and merges. */
public record ContentId(UUID value) implements Comparable<ContentId> {

    /**
     * Reads the 36 characters of a UUID.
     *
     * @throws IllegalArgumentException if the text is not one
     */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static ContentId parse(String text) {
        if (text.length() != 36) {
            throw new IllegalArgumentException("Content id '" + text + "' is not a UUID");
        }
        return new ContentId(UUID.fromString(text));
    }

    @Override
    public int compareTo(ContentId other) {
        return value.compareTo(other.value);
    }

    @JsonValue
    @Override
    public String toString() {
        return value.toString();
    }
}
