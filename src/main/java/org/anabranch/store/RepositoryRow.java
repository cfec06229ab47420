package org.anabranch.store;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The one record of a repository.
 *
 * @param formatVersion of everything stored; see docs/formats.md. {@link #BEING_IMPORTED} while not all of it is there
 * @param salt 16 bytes that key the shape of the key index; never changes
 * @param createdAtMicros in microseconds since the epoch
 * @param oldestCommitAtMicros no commit is older
 * @param configs configuration objects as JSON, by type
 * @param version 1 at creation, one more at every change
 */
public record RepositoryRow(
        UUID id,
        int formatVersion,
        byte[] salt,
        String defaultBranch,
        long createdAtMicros,
        long oldestCommitAtMicros,
        Map<String, String> configs,
        long version) {

    /** The {@code formatVersion} of a repository that is being imported: no program serves it. */
    public static final int BEING_IMPORTED = 0;

    public RepositoryRow {
        configs = Collections.unmodifiableMap(new TreeMap<>(configs));
    }

    /** Whether not all of the repository is there yet. */
    public boolean isBeingImported() {
        return formatVersion == BEING_IMPORTED;
    }

    /** This record at its next version. */
    public RepositoryRow next(int nextFormatVersion, long nextOldestCommitAtMicros, Map<String, String> nextConfigs) {
        return new RepositoryRow(
                id,
                nextFormatVersion,
                salt,
                defaultBranch,
                createdAtMicros,
                nextOldestCommitAtMicros,
                nextConfigs,
                version + 1);
    }
}
