package org.anabranch.versioning.transfer;

import java.util.UUID;

/**
 * What an export holds.
 *
 * @param repository id of the repository
 * @param references branches and tags
 * @param commits that these and their remembered heads lead to
 * @param bytes of the file
 * @param digest of all that it holds, in hex digits: equal for equal repositories, however the file is compressed
 */
public record ExportReport(UUID repository, long references, long commits, long bytes, String digest) {}
