package org.anabranch.api.v2;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import org.anabranch.model.Conflict;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * Body of every answer that is not a success.
 *
 * @param status as in the status line
 * @param reason the phrase for it
 * @param errorDetails only for callers that can read them
 * @param serverStackTrace null: stack traces stay in the log
 */
public record ErrorBody(
        int status,
        String reason,
        String message,
        ErrorCode errorCode,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ErrorDetails errorDetails,
        @Nullable String serverStackTrace) {

    /** What a program can act on. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = ReferenceConflicts.class, name = "REFERENCE_CONFLICTS"),
        @JsonSubTypes.Type(value = ContentKeyDetails.class, name = "CONTENT_KEY")
    })
    public sealed interface ErrorDetails {}

    /** All conflicts behind a refusal. */
    public record ReferenceConflicts(
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Conflict> conflicts) implements ErrorDetails {}

    /** The key that was not found. */
    public record ContentKeyDetails(
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            ContentKey contentKey) implements ErrorDetails {}
}
