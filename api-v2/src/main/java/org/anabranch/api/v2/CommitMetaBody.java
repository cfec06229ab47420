package org.anabranch.api.v2;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.anabranch.model.CommitHeader;
import org.anabranch.model.CommitId;

/** Who made a commit, when and why, as answers show it. */
public record CommitMetaBody(
        CommitId hash,
        String committer,
        List<String> authors,
        List<String> allSignedOffBy,
        String message,
        Instant commitTime,
        Instant authorTime,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, List<String>> allProperties,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<CommitId> parentCommitHashes) {

    public static CommitMetaBody of(CommitHeader commit) {
        return new CommitMetaBody(
                commit.id(),
                commit.meta().committer(),
                commit.meta().authors(),
                commit.meta().signedOffBy(),
                commit.meta().message(),
                commit.commitTime(),
                commit.meta().authorTime(),
                commit.meta().properties(),
                commit.parents());
    }
}
