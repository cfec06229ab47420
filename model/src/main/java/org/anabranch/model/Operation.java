package org.anabranch.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One operation of a commit. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Operation.Put.class, name = "PUT"),
    @JsonSubTypes.Type(value = Operation.Delete.class, name = "DELETE"),
    @JsonSubTypes.Type(value = Operation.Unchanged.class, name = "UNCHANGED")
})
public sealed interface Operation {

    ContentKey key();

    /** Creates the key (content without id), updates it (with the id it has) or receives a rename (another key's id). */
    record Put(ContentKey key, Content content) implements Operation {

        public Put {
            Checks.required("key", key);
            Checks.required("content", content);
        }

        /** Reads the JSON form, which may carry documentation and metadata: they are checked and not kept. */
        @JsonCreator
        static Put read(
                @JsonProperty("key") ContentKey key,
                @JsonProperty("content") Content content,
                @JsonProperty("documentation") @Nullable Documentation documentation,
                @JsonProperty("metadata") @Nullable List<ContentMetadata> metadata) {
            Checks.copied("metadata", metadata);
            return new Put(key, content);
        }

        /** Null: part of the JSON form, where clients expect it. */
        @JsonProperty
        public @Nullable Documentation documentation() {
            return null;
        }
    }

    /** Removes the key. */
    record Delete(ContentKey key) implements Operation {

        public Delete {
            Checks.required("key", key);
        }
    }

    /** Demands that the key is as the caller's expected commit shows it; never stored. */
    record Unchanged(ContentKey key) implements Operation {

        public Unchanged {
            Checks.required("key", key);
        }
    }

    /** A text for people about a content. */
    record Documentation(String mimeType, String text) {

        public Documentation {
            Checks.required("mimeType", mimeType);
            Checks.required("text", text);
        }
    }

    /** Data of some tool about a content; of its fields only the one that says which tool is known here. */
    record ContentMetadata(String variant) {

        public ContentMetadata {
            Checks.required("variant", variant);
        }
    }
}
