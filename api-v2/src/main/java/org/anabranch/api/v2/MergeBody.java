package org.anabranch.api.v2;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.anabranch.model.HashSpec;
import org.anabranch.model.MergeMode;
import org.jspecify.annotations.Nullable;

/**
 * Body of a merge.
 *
 * @param fromRefName of a branch or tag, {@code -}, or {@code DETACHED}
 * @param fromHash a hash with or without steps; null if the request gives none, which a merge does not accept
 * @param message null or not empty
 */
public record MergeBody(
        String fromRefName,
        @Nullable HashSpec fromHash,
        @Nullable String message,
        @Nullable CommitMetaInput commitMeta,
        MergeOptions options) {

    public MergeBody {
        Fields.referenceName("fromRefName", fromRefName);
        MergeOptions.requireText("message", message);
    }

    @JsonCreator
    static MergeBody read(
            @JsonProperty("fromRefName") String fromRefName,
            @JsonProperty("fromHash") @Nullable String fromHash,
            @JsonProperty("message") @Nullable String message,
            @JsonProperty("commitMeta") @Nullable CommitMetaInput commitMeta,
            @JsonProperty("defaultKeyMergeMode") @Nullable MergeMode defaultKeyMergeMode,
            @JsonProperty("keyMergeModes") @Nullable List<KeyMergeModeBody> keyMergeModes,
            @JsonProperty("isDryRun") @Nullable Boolean isDryRun,
            @JsonProperty("dryRun") @Nullable Boolean dryRun,
            @JsonProperty("isReturnConflictAsResult") @Nullable Boolean isReturnConflictAsResult,
            @JsonProperty("returnConflictAsResult") @Nullable Boolean returnConflictAsResult) {
        return new MergeBody(
                fromRefName,
                Fields.hashSpec("fromHash", fromHash),
                message,
                commitMeta,
                MergeOptions.read(
                        defaultKeyMergeMode,
                        keyMergeModes,
                        isDryRun,
                        dryRun,
                        isReturnConflictAsResult,
                        returnConflictAsResult));
    }
}
