package org.anabranch.versioning.transfer.peer;

import java.util.List;
import java.util.UUID;

/**
 * What came from another server.
 *
 * @param repository id of the new repository
 * @param references branches and tags
 * @param commits that they lead to
 * @param found how many of those an earlier attempt had left in the store
 * @param raisedTimes commits that were not younger than their parent, and are a microsecond younger now
 * @param changedContentIds contents that could not keep their ids
 * @param firstChangedContentIds those by name, up to 1,000
 * @param missingParents merge sources that the server does not have any more; the commits that name them lack them here
 * @param comparedStates commits that references are at, whose keys and contents were all compared with the server's
 * @param comparedKeys keys that were compared
 */
public record PeerImportReport(
        UUID repository,
        long references,
        long commits,
        long found,
        long raisedTimes,
        long changedContentIds,
        List<ChangedContentId> firstChangedContentIds,
        List<String> missingParents,
        long comparedStates,
        long comparedKeys) {}
