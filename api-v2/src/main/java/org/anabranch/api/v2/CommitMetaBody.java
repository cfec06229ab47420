package org.anabranch.api.v2;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitMeta;

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

    /** @param parents first the commit whose line it extends */
    public static CommitMetaBody of(CommitId hash, List<CommitId> parents, Instant commitTime, CommitMeta meta) {
        return new CommitMetaBody(
                hash,
                meta.committer(),
                meta.authors(),
                meta.signedOffBy(),
                meta.message(),
                commitTime,
                meta.authorTime(),
                meta.properties(),
                parents);
    }
}
