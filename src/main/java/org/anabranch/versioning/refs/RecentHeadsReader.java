package org.anabranch.versioning.refs;

import java.time.InstantSource;
import java.util.Iterator;
import org.anabranch.dag.CommitGraph;
import org.anabranch.model.Consistency;
import org.anabranch.model.RecentHeads;
import org.anabranch.model.RecentHeads.RecentHead;
import org.anabranch.object.Commit;
import org.anabranch.object.CorruptObjectException;
import org.anabranch.object.ObjectReader;
import org.anabranch.store.Head;
import org.anabranch.store.Instants;
import org.anabranch.store.MissingRowException;
import org.anabranch.store.ReferenceRow;

/** Tells where references were lately, and whether that can still be read. Safe from many threads. */
public final class RecentHeadsReader {

    /** The most commits of a line that one call looks at. */
    public static final int MAX_SCANNED_COMMITS = 1_000;

    private final ObjectReader reader;
    private final CommitGraph graph;
    private final RecentHeadsLimit limit;
    private final InstantSource clock;

    public RecentHeadsReader(ObjectReader reader, CommitGraph graph, RecentHeadsLimit limit, InstantSource clock) {
        this.reader = reader;
        this.graph = graph;
        this.limit = limit;
        this.clock = clock;
    }

    /**
     * The recorded heads of a branch or tag. What is damaged is told, not thrown.
     *
     * @param scanCommits how many commits of the line, from the head on, are looked at with their merge sources, as far as
     *     they are not older than the recorded heads may be; none if 0 or less, at most {@value #MAX_SCANNED_COMMITS}
     */
    public RecentHeads read(ReferenceRow row, int scanCommits) {
        return new RecentHeads(
                row.reference(),
                look(row.head()),
                row.published().stream()
                        .map(published -> look(published.head()))
                        .toList(),
                scanCommits > 0
                        ? scan(row.head(), Math.min(scanCommits, MAX_SCANNED_COMMITS))
                        : Consistency.NOT_CHECKED);
    }

    private RecentHead look(Head head) {
        Commit commit;
        try {
            commit = reader.commit(head.number());
        } catch (MissingRowException | CorruptObjectException damaged) {
            return new RecentHead(head.id(), Consistency.COMMIT_INCONSISTENT, null);
        }
        return new RecentHead(head.id(), look(commit), commit.isNoAncestor() ? null : commit.header());
    }

    private Consistency look(Commit commit) {
        try {
            if (!commit.tree().isEmpty()) {
                reader.node(commit.tree().root());
            }
            return Consistency.COMMIT_CONSISTENT;
        } catch (MissingRowException | CorruptObjectException damaged) {
            return Consistency.COMMIT_CONTENT_INCONSISTENT;
        }
    }

    private Consistency scan(Head head, int commits) {
        long oldest = Instants.micros(clock.instant().minus(limit.maxAge()));
        Consistency worst = Consistency.COMMIT_CONSISTENT;
        try {
            Iterator<Commit> line = graph.line(reader.commit(head.number()));
            for (int i = 0; i < commits && line.hasNext(); i++) {
                Commit commit = line.next();
                if (commit.createdAtMicros() < oldest) {
                    return worst;
                }
                worst = worse(worst, look(commit));
                for (Head source : commit.parents().subList(1, commit.parents().size())) {
                    worst = worse(worst, look(source).consistency());
                }
            }
            return worst;
        } catch (MissingRowException | CorruptObjectException damaged) {
            return Consistency.COMMIT_INCONSISTENT;
        }
    }

    private static Consistency worse(Consistency one, Consistency other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
