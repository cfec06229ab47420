package org.anabranch.api.ext;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.anabranch.api.v2.CommitMetaInput;
import org.anabranch.api.v2.KeyMergeModeBody;
import org.anabranch.api.v2.MergeOptions;
import org.anabranch.model.HashSpec;
import org.anabranch.model.MergeMode;
import org.jspecify.annotations.Nullable;

/**
 * Body of a revert.
 *
 * @param hash with or without steps: of the commit that is taken back, or that the key is put back to
 * @param message null or not empty
 */
public record RevertBody(
        HashSpec hash, @Nullable String message, @Nullable CommitMetaInput commitMeta, MergeOptions options) {

    public RevertBody {
        MergeOptions.requireText("message", message);
    }

    @JsonCreator
    static RevertBody read(
            @JsonProperty("hash") String hash,
            @JsonProperty("message") @Nullable String message,
            @JsonProperty("commitMeta") @Nullable CommitMetaInput commitMeta,
            @JsonProperty("defaultKeyMergeMode") @Nullable MergeMode defaultKeyMergeMode,
            @JsonProperty("keyMergeModes") @Nullable List<KeyMergeModeBody> keyMergeModes,
            @JsonProperty("dryRun") @Nullable Boolean dryRun,
            @JsonProperty("returnConflictAsResult") @Nullable Boolean returnConflictAsResult) {
        return new RevertBody(
                hashSpec(hash),
                message,
                commitMeta,
                MergeOptions.read(defaultKeyMergeMode, keyMergeModes, null, dryRun, null, returnConflictAsResult));
    }

    private static HashSpec hashSpec(@Nullable String text) {
        if (text == null) {
            throw new IllegalArgumentException("hash: must not be null; give the hash of a commit of the branch");
        }
        try {
            return HashSpec.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("hash: " + e.getMessage(), e);
        }
    }
}
