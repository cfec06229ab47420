package org.anabranch.testing;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.anabranch.dag.CommitGraph;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitMeta;
import org.anabranch.model.Content;
import org.anabranch.object.Commit;
import org.anabranch.object.GraphPosition;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.KeyOperation;
import org.anabranch.object.Node;
import org.anabranch.object.NodeAddress;
import org.anabranch.object.ObjectReader;
import org.anabranch.object.Tree;

/**
 * Commits without contents, in memory, built so that a test reads like its drawing. As a reader it holds nothing but commits,
 * and counts how often it is asked for them.
 *
 * <pre>
 *   Commit a = dag.commit();
 *   Commit b = dag.commit(a);        a---b---d
 *   Commit c = dag.commit(a);         \     /
 *   Commit d = dag.commit(b, c);       c---'
 * </pre>
 */
public final class CommitDag implements ObjectReader {

    private static final CommitMeta META = new CommitMeta("", "", List.of(""), Instant.EPOCH, List.of(), Map.of());

    private final CommitGraph graph = new CommitGraph(this);
    private final List<Commit> commits = new ArrayList<>(List.of(Commit.NO_ANCESTOR));
    private final Map<CommitId, Commit> byId = new HashMap<>(Map.of(CommitId.NO_ANCESTOR, Commit.NO_ANCESTOR));
    private long clockMicros;
    private long reads;
    private long trips;

    public CommitGraph graph() {
        return graph;
    }

    /** A new commit, a microsecond after the one made before; a first commit if no parents are given. */
    public Commit commit(Commit... parents) {
        return commitAt(clockMicros + 1, parents);
    }

    /** A new commit made at a time, or right after its first parent if that is younger. */
    public Commit commitAt(long micros, Commit... parents) {
        clockMicros = micros;
        List<Commit> given = parents.length == 0 ? List.of(Commit.NO_ANCESTOR) : Arrays.asList(parents);
        GraphPosition position = graph.position(given);
        long number = commits.size();
        Commit commit = new Commit(
                number,
                id(number),
                given.stream().map(Commit::head).toList(),
                position,
                Tree.EMPTY,
                Math.max(micros, given.get(0).createdAtMicros() + 1),
                META);
        commits.add(commit);
        byId.put(commit.id(), commit);
        return commit;
    }

    /** The same commit under another number, as two writers leave it that staged one request on one parent. */
    public Commit twin(Commit commit) {
        long number = commits.size();
        Commit twin = new Commit(
                number,
                commit.id(),
                commit.parents(),
                commit.seq(),
                commit.jump(),
                commit.jumpSeq(),
                commit.jumpFloor(),
                commit.generation(),
                commit.isMerge() ? number : commit.lastMerge(),
                commit.tree(),
                commit.createdAtMicros(),
                commit.meta());
        commits.add(twin);
        return twin;
    }

    /** That many plain commits on top of one; the youngest is returned. */
    public Commit line(Commit from, int length) {
        Commit at = from;
        for (int i = 0; i < length; i++) {
            at = commit(at);
        }
        return at;
    }

    /** All commits, in the order they were made. */
    public List<Commit> all() {
        return commits.subList(1, commits.size());
    }

    /** How many commits were read since {@link #resetCounts}; no ancestor is in no store and is not counted. */
    public long reads() {
        return reads;
    }

    /** How many bulk reads fetched them. */
    public long trips() {
        return trips;
    }

    public void resetCounts() {
        reads = 0;
        trips = 0;
    }

    @Override
    public Map<CommitId, Commit> findCommits(Collection<CommitId> ids) {
        Map<CommitId, Commit> known = new HashMap<>();
        ids.stream().filter(byId::containsKey).forEach(id -> known.put(id, byId.get(id)));
        reads += known.size();
        trips++;
        return known;
    }

    @Override
    public List<Commit> commits(List<Long> numbers) {
        long stored = numbers.stream().filter(number -> number != 0).count();
        reads += stored;
        trips += stored == 0 ? 0 : 1;
        return numbers.stream().map(number -> commits.get(number.intValue())).toList();
    }

    @Override
    public List<Node> nodes(List<NodeAddress> addresses) {
        throw new IllegalArgumentException("These commits have no contents");
    }

    @Override
    public NodeAddress wholeNodeBehind(NodeAddress address) {
        throw new IllegalArgumentException("These commits have no contents");
    }

    @Override
    public List<Content> contents(List<IndexEntry> entries) {
        throw new IllegalArgumentException("These commits have no contents");
    }

    @Override
    public List<KeyOperation> operations(Commit commit) {
        return List.of();
    }

    /** The number that a commit was made under, before any twins. */
    public static long firstNumber(CommitId id) {
        return id.equals(CommitId.NO_ANCESTOR)
                ? 0
                : ByteBuffer.wrap(id.toBytes()).getLong();
    }

    private static CommitId id(long number) {
        return CommitId.of(ByteBuffer.allocate(CommitId.BYTES).putLong(number).array());
    }
}
