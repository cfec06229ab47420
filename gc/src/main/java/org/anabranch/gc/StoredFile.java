package org.anabranch.gc;

import java.time.Instant;

/**
 * A file that a storage holds.
 *
 * @param location the spelling that comparisons go by
 * @param path the storage's own spelling, by which the file is deleted
 * @param bytes its length
 * @param modifiedAt by the storage's clock
 */
public record StoredFile(FileLocation location, String path, long bytes, Instant modifiedAt) {}
