package org.anabranch.versioning.transfer;

import java.util.UUID;

/**
 * What an import did.
 *
 * @param repository id of the repository
 * @param references branches and tags
 * @param commits that are in the store now
 * @param found how many of those an earlier attempt had left there
 * @param digest of the file, in hex digits
 */
public record ImportReport(UUID repository, long references, long commits, long found, String digest) {}
