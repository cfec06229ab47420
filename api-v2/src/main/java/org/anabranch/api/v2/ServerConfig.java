package org.anabranch.api.v2;

import java.time.Instant;
import org.anabranch.model.CommitId;

/**
 * Answer to {@code GET /config}: the settings that clients adapt to.
 *
 * @param minSupportedApiVersion clients set to a lower version than this call themselves too old, whatever is served
 * @param actualApiVersion what this address serves; clients set to another version refuse to go on
 * @param specVersion three integers with dots; clients read the first two
 */
public record ServerConfig(
        String defaultBranch,
        int minSupportedApiVersion,
        int maxSupportedApiVersion,
        int actualApiVersion,
        String specVersion,
        CommitId noAncestorHash,
        Instant repositoryCreationTimestamp,
        Instant oldestPossibleCommitTimestamp) {}
