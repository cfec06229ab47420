package org.anabranch.gc.mark;

import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.anabranch.gc.CatalogEntry;
import org.anabranch.gc.CatalogSource;
import org.anabranch.gc.CatalogUnreadableException;
import org.anabranch.gc.ContentPointer;
import org.anabranch.gc.Cutoff;
import org.anabranch.gc.LivenessCheck;
import org.anabranch.gc.LoggedCommit;
import org.anabranch.gc.Progress;
import org.anabranch.gc.ReferenceHead;
import org.anabranch.gc.Workers;
import org.anabranch.gc.policy.CutoffPolicies;
import org.anabranch.gc.state.CommitLog;
import org.anabranch.gc.state.LiveSet;
import org.anabranch.gc.state.LiveSet.Anchor;
import org.anabranch.gc.state.LiveSet.LivePointer;
import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;

/**
 * Marks what is live: every content that is visible at a live commit. A commit is live if a reference is at it, or has it on its
 * first-parent line and inside its cutoff; pinned commits are live by themselves.
 *
 * <p>In four steps, each of which may be done again after a crash:
 *
 * <ol>
 *   <li>Read all references.
 *   <li>Read the commits of their lines that were not read before, in whatever run. Also those beyond the cutoffs: they tell where
 *       tables lay that nobody has any more.
 *   <li>Walk every line to its cutoff. What live commits put is live; a line that references share is walked once.
 *   <li>At the lowest commits, whose parents are not live, read what they show: the whole tree of the oldest one, and of each further one
 *       what differs from the one before.
 * </ol>
 *
 * <p>So the catalog gives each commit once, one tree, and the changes between the ends of lines: entries in the order of tables and
 * changes, however many references there are.
 */
public final class Mark implements LivenessCheck {

    /** Commits or entries that are stored in one transaction. */
    private static final int BATCH = 250;

    private static final String PIN = "@";

    private final CatalogSource catalog;
    private final CommitLog log;
    private final LiveSet live;
    private final Workers workers;
    private final Progress progress;
    private final CutoffPolicies policies;
    private final List<CommitId> pins;
    private final Instant startedAt;

    /**
     * @param pins commits that are live though no reference may be near them; each shows its own tree alone
     * @param startedAt of the run: durations count back from here
     */
    public Mark(
            CatalogSource catalog,
            CommitLog log,
            LiveSet live,
            Workers workers,
            Progress progress,
            CutoffPolicies policies,
            List<CommitId> pins,
            Instant startedAt) {
        this.catalog = catalog;
        this.log = log;
        this.live = live;
        this.workers = workers;
        this.progress = progress;
        this.policies = policies;
        this.pins = List.copyOf(pins);
        this.startedAt = startedAt;
    }

    /**
     * Marks everything; the live set is whole when this returns.
     *
     * @return how many references were found
     * @throws org.anabranch.gc.CatalogUnreadableException if anything could not be read; the live set is then worth nothing by itself,
     *     but what it has need not be read again
     */
    public int markAll() {
        List<ReferenceHead> references = catalog.references();
        List<ReferenceHead> wanted = new ArrayList<>(references);
        // The pins' names cannot be those of references.
        pins.forEach(pin -> wanted.add(new ReferenceHead(ReferenceKind.TAG, PIN + pin, pin)));
        List<ReferenceHead> unmarked = live.unmarked(wanted);
        readLines(unmarked);
        // The longest lines first: the others then end where they meet them.
        unmarked.stream()
                .map(reference -> new Line(reference, cutoff(reference)))
                .sorted(Comparator.comparing(Line::cutoff, LONGEST_FIRST))
                .forEach(line -> live.markLine(line.reference, line.cutoff));
        readTrees(live.unreadAnchors());
        return references.size();
    }

    @Override
    public List<ContentPointer> markAgain() {
        markAll();
        return live.unexpanded(Integer.MAX_VALUE).stream()
                .map(LivePointer::pointer)
                .toList();
    }

    private record Line(ReferenceHead reference, Cutoff cutoff) {}

    private static final Comparator<Cutoff> LONGEST_FIRST =
            Comparator.comparing(Cutoff::oldest).thenComparing(Cutoff::commits, Comparator.reverseOrder());

    private Cutoff cutoff(ReferenceHead reference) {
        return reference.name().startsWith(PIN) ? Cutoff.newest(1) : policies.cutoff(reference, startedAt);
    }

    /** One line alone before the others: most of them join it, and then need not read what it has. */
    private void readLines(List<ReferenceHead> references) {
        references.stream().limit(1).forEach(first -> readLine(first.head()));
        workers.forEach(references, reference -> readLine(reference.head()));
    }

    /** Reads the part of a line that is not in the log. */
    private void readLine(CommitId head) {
        Optional<CommitId> unknown = log.firstUnknown(head);
        while (unknown.isPresent()) {
            readLineUntilKnown(unknown.get());
            unknown = log.firstUnknown(head);
        }
    }

    private void readLineUntilKnown(CommitId from) {
        Iterator<LoggedCommit> commits = catalog.log(from);
        CommitId expected = from;
        List<LoggedCommit> batch = new ArrayList<>();
        while (!expected.equals(CommitId.NO_ANCESTOR)) {
            if (!commits.hasNext()) {
                throw new CatalogUnreadableException(
                        "The log of commit " + from + " ends before commit " + expected
                                + ", which the one above it names as its parent. If the catalog's history was cut, delete the"
                                + " state folder.",
                        null);
            }
            LoggedCommit commit = commits.next();
            if (!commit.id().equals(expected)) {
                throw new CatalogUnreadableException(
                        "The log of commit " + from + " has commit " + commit.id() + " where " + expected
                                + " was to come: it is not a line of first parents",
                        null);
            }
            batch.add(commit);
            expected = commit.parent();
            boolean isKnown = log.contains(expected);
            if (isKnown || batch.size() == BATCH) {
                add(batch);
            }
            if (isKnown) {
                return;
            }
        }
        add(batch);
    }

    private void add(List<LoggedCommit> batch) {
        log.add(batch);
        progress.made(Progress.Phase.LOG, batch.size(), 0);
        batch.clear();
    }

    private void readTrees(List<Anchor> anchors) {
        InOrder inOrder = new InOrder(anchors);
        workers.forEach(IntStream.range(0, anchors.size()).boxed().toList(), place -> {
            readTree(anchors.get(place));
            inOrder.recordRead(place);
        });
    }

    /**
     * Lets a tree count as read when those before it do: what was read of it are the changes to one of them, and if that one is never
     * read because its parent became live meanwhile, they say nothing.
     */
    private final class InOrder {

        private final List<Anchor> anchors;
        private final BitSet read = new BitSet();
        private int counted;

        InOrder(List<Anchor> anchors) {
            this.anchors = anchors;
        }

        synchronized void recordRead(int place) {
            read.set(place);
            while (read.get(counted)) {
                live.recordRead(anchors.get(counted).commit());
                counted++;
            }
        }
    }

    private void readTree(Anchor anchor) {
        Iterator<CatalogEntry> entries = anchor.base()
                .map(base -> catalog.changes(base, anchor.commit()))
                .orElseGet(() -> catalog.entries(anchor.commit()));
        List<CatalogEntry> batch = new ArrayList<>();
        while (entries.hasNext()) {
            batch.add(entries.next());
            if (batch.size() == BATCH || !entries.hasNext()) {
                live.addTree(anchor.commit(), batch);
                progress.made(Progress.Phase.TREES, batch.size(), 0);
                batch.clear();
            }
        }
    }
}
