package org.anabranch.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A Delta Lake table: the locations of its log and checkpoints. */
public record DeltaLakeTable(
        @Nullable ContentId id,
        List<String> metadataLocationHistory,
        List<String> checkpointLocationHistory,
        @Nullable String lastCheckpoint)
        implements Content {

    public DeltaLakeTable {
        metadataLocationHistory = Checks.copied("metadataLocationHistory", metadataLocationHistory);
        checkpointLocationHistory = Checks.copied("checkpointLocationHistory", checkpointLocationHistory);
    }

    @Override
    public ContentType type() {
        return ContentType.DELTA_LAKE_TABLE;
    }

    @Override
    public DeltaLakeTable withId(ContentId id) {
        return new DeltaLakeTable(id, metadataLocationHistory, checkpointLocationHistory, lastCheckpoint);
    }
}
