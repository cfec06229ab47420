package org.anabranch.gc.run;

import java.util.List;
import java.util.Locale;
import org.anabranch.gc.CatalogSource;
import org.anabranch.gc.CatalogUnreadableException;
import org.anabranch.gc.ReadAccess;
import org.anabranch.gc.expand.SnapshotScope;
import org.anabranch.gc.policy.CutoffPolicies;
import org.anabranch.model.CommitId;

/**
 * What counts as live in a run. Its text tells whether two runs mean the same.
 *
 * @param pins commits that are live whatever references say
 * @param unfilteredReads what the operator asserts
 */
public record Scope(
        CutoffPolicies policies, List<CommitId> pins, SnapshotScope snapshots, UnfilteredReads unfilteredReads) {

    public Scope {
        pins = List.copyOf(pins);
    }

    /** Who knows that reads show everything. */
    public enum UnfilteredReads {
        /** The server has to say so. */
        SAID_BY_SERVER,
        /** The operator says so for servers that cannot. */
        ASSERTED
    }

    /**
     * Makes sure that reads show everything: what is not shown would be taken for dead.
     *
     * @throws CatalogUnreadableException if the server says that it hides something, or nobody says that it does not
     */
    public void requireWholeView(CatalogSource catalog) {
        ReadAccess access = catalog.readAccess();
        if (access == ReadAccess.FILTERED) {
            throw new CatalogUnreadableException(
                    "The catalog does not show this caller everything, and what it hides would be taken for dead. Use"
                            + " credentials that may read every reference and key.",
                    null);
        }
        if (access == ReadAccess.UNKNOWN && unfilteredReads == UnfilteredReads.SAID_BY_SERVER) {
            throw new CatalogUnreadableException(
                    "The catalog's server cannot say whether it shows this caller everything, and what it hides would be"
                            + " taken for dead. If you know that these credentials may read every reference and key, say so"
                            + " with --reads-are-unfiltered.",
                    null);
        }
    }

    @Override
    public String toString() {
        return policies + "; snapshots: " + snapshots.name().toLowerCase(Locale.ROOT)
                + (pins.isEmpty() ? "" : "; pinned: " + pins);
    }
}
