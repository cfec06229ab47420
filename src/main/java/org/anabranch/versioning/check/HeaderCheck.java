package org.anabranch.versioning.check;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.anabranch.dag.CommitGraph;
import org.anabranch.dag.CommitTable;
import org.anabranch.model.CommitId;
import org.anabranch.object.Commit;
import org.anabranch.object.GraphPosition;
import org.anabranch.store.Head;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.versioning.check.Finding.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Holds a commit's header against its parents, whose headers were verified before. Where it stands in the graph is worked out
 * anew; what is wrong is put right for those who read it after.
 */
final class HeaderCheck {

    private final CommitTable table;
    private final CheckedObjects objects;
    private final CommitGraph graph;
    private final Findings findings;
    private final BitSet verified = new BitSet();

    HeaderCheck(CommitTable table, CheckedObjects objects, Findings findings) {
        this.table = table;
        this.objects = objects;
        this.graph = new CommitGraph(objects);
        this.findings = findings;
    }

    CommitGraph graph() {
        return graph;
    }

    /**
     * Verifies one header.
     *
     * @param found the numbers under which the store finds the ids of commits, this one's among them
     * @return whether everything about it could be judged
     */
    boolean verify(int row, Commit commit, Map<CommitId, Long> found, Subject subject) {
        links(row, commit, found.get(commit.id()), subject);
        List<Commit> parents = parents(commit, subject);
        boolean isJudged = parents.size() == commit.parents().size() && !parents.isEmpty();
        if (isJudged) {
            position(commit, parents, subject);
            if (commit.createdAtMicros() <= parents.get(0).createdAtMicros()) {
                findings.add(
                        Kind.CREATED_AT,
                        subject,
                        null,
                        "later than its first parent's " + parents.get(0).createdAtMicros(),
                        commit.createdAtMicros());
            }
        } else if (!isWalkable(commit)) {
            objects.refuseHeader(commit.number());
        }
        verified.set(row);
        return isJudged;
    }

    private void links(int row, Commit commit, @Nullable Long found, Subject subject) {
        if (table.idBits(row) != CommitTable.bits(commit.id()) || found == null || found > commit.number()) {
            findings.add(
                    Kind.LINKS,
                    subject,
                    null,
                    "a store that finds row " + commit.number() + " by the id " + commit.id(),
                    found == null ? "nothing" : "row " + found);
        }
        List<Long> parents = commit.parents().stream().map(Head::number).toList();
        if (!parents.equals(table.parents(row))) {
            findings.add(Kind.LINKS, subject, null, "parents " + parents, "parents " + table.parents(row));
        }
    }

    /** The parents that could be read, as they are known by now. */
    private List<Commit> parents(Commit commit, Subject subject) {
        List<Commit> parents = new ArrayList<>();
        for (Head head : commit.parents()) {
            if (head.number() == 0) {
                parents.add(Commit.NO_ANCESTOR);
            } else {
                int row = table.find(head.number());
                if (row < 0 || !verified.get(row)) {
                    continue;
                }
                try {
                    parents.add(objects.commit(head.number()));
                } catch (RuntimeException e) {
                    findings.unreadable(subject, e, true);
                    continue;
                }
            }
            CommitId id = parents.get(parents.size() - 1).id();
            if (!id.equals(head.id())) {
                findings.add(Kind.PARENT, subject, null, "row " + head.number() + " with the id " + head.id(), id);
            }
        }
        if (commit.parents().isEmpty() || commit.parents().stream().skip(1).anyMatch(head -> head.number() == 0)) {
            findings.add(Kind.PARENT, subject, null, "a first parent, and commits as further ones", commit.parents());
        }
        return parents;
    }

    private void position(Commit commit, List<Commit> parents, Subject subject) {
        GraphPosition position;
        try {
            position = graph.position(parents);
        } catch (RuntimeException e) {
            findings.unreadable(subject, e, true);
            if (!isWalkable(commit)) {
                objects.refuseHeader(commit.number());
            }
            return;
        }
        Commit expected = new Commit(
                commit.number(),
                commit.id(),
                commit.parents(),
                position,
                commit.tree(),
                commit.createdAtMicros(),
                commit.meta());
        if (expected.equals(commit)) {
            return;
        }
        compare(Kind.SEQ, subject, expected.seq(), commit.seq());
        compare(
                Kind.JUMP,
                subject,
                "row " + expected.jump() + " of seq " + expected.jumpSeq(),
                "row " + commit.jump() + " of seq " + commit.jumpSeq());
        compare(Kind.JUMP_FLOOR, subject, expected.jumpFloor(), commit.jumpFloor());
        compare(Kind.GENERATION, subject, expected.generation(), commit.generation());
        compare(Kind.LAST_MERGE, subject, "row " + expected.lastMerge(), "row " + commit.lastMerge());
        objects.correct(expected);
    }

    private void compare(Kind kind, Subject subject, Object expected, Object actual) {
        if (!expected.equals(actual)) {
            findings.add(kind, subject, null, expected, actual);
        }
    }

    /** Whether walks that come by a header, which could not be worked out anew, end all the same. */
    private boolean isWalkable(Commit commit) {
        try {
            Commit jump = objects.commit(commit.jump());
            Commit merge = commit.lastMerge() == commit.number() ? commit : objects.commit(commit.lastMerge());
            return commit.parents().stream().noneMatch(parent -> parent.number() == commit.number())
                    && jump.seq() == commit.jumpSeq()
                    && commit.jumpSeq() < commit.seq()
                    && jump.generation() < commit.generation()
                    && commit.jumpFloor() >= 1
                    && commit.jumpFloor() <= commit.generation()
                    && (merge.number() == commit.number()
                            ? commit.isMerge()
                            : merge.generation() < commit.generation());
        } catch (StoreUnavailableException unavailable) {
            throw unavailable;
        } catch (RuntimeException e) {
            return false;
        }
    }
}
