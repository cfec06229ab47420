package org.anabranch.api.v2;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.anabranch.model.Checks;
import org.anabranch.model.HashSpec;
import org.anabranch.model.MergeMode;
import org.jspecify.annotations.Nullable;

/**
 * Body of a transplant.
 *
 * @param fromRefName of a branch or tag, {@code -}, or {@code DETACHED}
 * @param hashesToTransplant at least one, oldest first, each with or without steps
 * @param message null or not empty
 */
public record TransplantBody(
        String fromRefName,
        List<HashSpec> hashesToTransplant,
        @Nullable String message,
        MergeOptions options) {

    public TransplantBody {
        Fields.referenceName("fromRefName", fromRefName);
        hashesToTransplant = Fields.atLeastOne("hashesToTransplant", hashesToTransplant);
        MergeOptions.requireText("message", message);
    }

    @JsonCreator
    static TransplantBody read(
            @JsonProperty("fromRefName") String fromRefName,
            @JsonProperty("hashesToTransplant") List<String> hashesToTransplant,
            @JsonProperty("message") @Nullable String message,
            @JsonProperty("defaultKeyMergeMode") @Nullable MergeMode defaultKeyMergeMode,
            @JsonProperty("keyMergeModes") @Nullable List<KeyMergeModeBody> keyMergeModes,
            @JsonProperty("isDryRun") @Nullable Boolean isDryRun,
            @JsonProperty("dryRun") @Nullable Boolean dryRun,
            @JsonProperty("isReturnConflictAsResult") @Nullable Boolean isReturnConflictAsResult,
            @JsonProperty("returnConflictAsResult") @Nullable Boolean returnConflictAsResult) {
        List<HashSpec> hashes = Checks.copied("hashesToTransplant", hashesToTransplant).stream()
                .map(hash -> Fields.hashSpec("hashesToTransplant", hash))
                .toList();
        return new TransplantBody(
                fromRefName,
                hashes,
                message,
                MergeOptions.read(
                        defaultKeyMergeMode,
                        keyMergeModes,
                        isDryRun,
                        dryRun,
                        isReturnConflictAsResult,
                        returnConflictAsResult));
    }
}
