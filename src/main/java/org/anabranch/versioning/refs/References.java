package org.anabranch.versioning.refs;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.anabranch.dag.CommitGraph;
import org.anabranch.model.CommitId;
import org.anabranch.model.Conflict;
import org.anabranch.model.ConflictType;
import org.anabranch.model.HashSpec;
import org.anabranch.model.RefSpec;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.RefusedException;
import org.anabranch.model.RelativeSpec;
import org.anabranch.object.Commit;
import org.anabranch.object.ObjectReader;
import org.anabranch.store.Head;
import org.anabranch.store.Instants;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.Store;
import org.jspecify.annotations.Nullable;

/**
 * Turns what a client names into what is stored: rows of references, and commits. Reads only; safe from many threads.
 *
 * <p>A request resolves its reference once and goes on with the row and the commit it got.
 */
public final class References {

    private final Store store;
    private final ObjectReader reader;
    private final CommitGraph graph;
    private final String defaultBranch;

    /** @param defaultBranch the name that {@code -} stands for */
    public References(Store store, ObjectReader reader, CommitGraph graph, String defaultBranch) {
        this.store = store;
        this.reader = reader;
        this.graph = graph;
        this.defaultBranch = defaultBranch;
    }

    /**
     * The commit that a read starts from. A hash need not be reachable from the reference it is named with. Steps past the
     * first commit lead to {@link Commit#NO_ANCESTOR}.
     *
     * <p>Costs one store trip for the row, the look-up of the commit, and O(log h) reads per step.
     *
     * @param role of the hash, for the message of a refusal
     * @throws RefusedException 404 if the reference or the hash is not there; 400 if it is detached and no hash starts it
     */
    public ResolvedReference resolve(RefSpec spec, HashRole role) {
        if (spec.isDetached()) {
            requireStart(spec.commit(), role);
            return new ResolvedReference(null, commit(Head.NO_ANCESTOR, spec.commit()));
        }
        ReferenceRow row = row(spec);
        return new ResolvedReference(row, commit(row.head(), spec.commit()));
    }

    /**
     * As {@link #resolve}, for who may see no more than the reference shows: its head and what that reaches by any parents.
     * Costs {@link CommitGraph#reaches} beside, if a hash is given.
     *
     * @return empty if the hash names no commit that the reference reaches, whether it is stored or not
     * @throws RefusedException 404 if the reference is not there
     */
    public Optional<ResolvedReference> findReached(RefSpec spec) {
        ReferenceRow row = row(spec);
        return findReached(row, spec.commit()).map(commit -> new ResolvedReference(row, commit));
    }

    /** As {@link #findReached(RefSpec)}, of a reference that was read already. */
    public Optional<Commit> findReached(ReferenceRow row, HashSpec spec) {
        Commit head = reader.commit(row.head().number());
        Optional<Commit> start = spec.hash() == null ? Optional.of(head) : findReached(head, spec.hash());
        return start.map(named -> walk(named, spec.steps()));
    }

    /**
     * Whether a branch or tag reaches a commit by any parents; one that is not stored it does not. Costs as {@link
     * CommitGraph#reaches}.
     *
     * @param hash as a client names it
     */
    public boolean reaches(ReferenceRow row, String hash) {
        return findReached(reader.commit(row.head().number()), hash).isPresent();
    }

    private Optional<Commit> findReached(Commit head, String hash) {
        return head.id().toString().equals(hash)
                ? Optional.of(head)
                : find(hash).filter(named -> graph.reaches(head, named));
    }

    /**
     * Commits that a write names by their hashes alone, in the order given. Costs one bulk look-up, and O(log h) reads per step.
     *
     * @throws RefusedException 400 if a hash is missing, or does not start with a commit's hash; 404 if one is not there
     */
    public List<Commit> requireAll(List<HashSpec> specs, HashRole role) {
        return requireAll(specs, role, start -> true, References::noSuchCommit);
    }

    /**
     * As {@link #requireAll(List, HashRole)}, for who may see no more than a reference shows. Costs {@link CommitGraph#reaches} per
     * commit beside.
     *
     * @param unreached what a hash is refused with that names no commit which the reference reaches
     * @throws RefusedException 400 as {@link #requireAll(List, HashRole)}
     */
    public List<Commit> requireAllReached(
            ReferenceRow row, List<HashSpec> specs, HashRole role, Function<String, RefusedException> unreached) {
        Commit head = reader.commit(row.head().number());
        return requireAll(specs, role, start -> graph.reaches(head, start), unreached);
    }

    /** Whether a reference reaches all of these commits. Costs {@link CommitGraph#reaches} per commit. */
    public boolean reachesAll(ReferenceRow row, List<Commit> commits) {
        Commit head = reader.commit(row.head().number());
        return commits.stream().allMatch(commit -> graph.reaches(head, commit));
    }

    private List<Commit> requireAll(
            List<HashSpec> specs,
            HashRole role,
            Predicate<Commit> isKnown,
            Function<String, RefusedException> unknown) {
        List<String> hashes =
                specs.stream().map(spec -> requireUnambiguous(spec, role)).toList();
        Map<CommitId, Commit> starts = reader.findCommits(
                hashes.stream().filter(References::isWhole).map(CommitId::parse).collect(Collectors.toSet()));
        List<Commit> commits = new ArrayList<>();
        for (int i = 0; i < hashes.size(); i++) {
            String hash = hashes.get(i);
            Commit start = isWhole(hash) ? starts.get(CommitId.parse(hash)) : null;
            if (start == null || !isKnown.test(start)) {
                throw unknown.apply(hash);
            }
            commits.add(walk(start, specs.get(i).steps()));
        }
        return commits;
    }

    /**
     * A commit named beside a reference that is resolved already, such as the far end of a log: without a hash the steps start
     * at the head of that reference.
     *
     * @return empty if a hash without steps names no stored commit
     * @throws RefusedException 404 if a hash with steps names no stored commit; 400 if the reference is detached and no hash
     *     starts the steps
     */
    public Optional<Commit> find(ResolvedReference reference, HashSpec spec, HashRole role) {
        String hash = spec.hash();
        if (hash != null && spec.steps().isEmpty()) {
            return find(hash);
        }
        ReferenceRow row = reference.row();
        if (row == null) {
            requireStart(spec, role);
            return Optional.of(commit(Head.NO_ANCESTOR, spec));
        }
        return Optional.of(commit(row.head(), spec));
    }

    /**
     * The branch that a write goes to, and the commit its caller expects there. Steps may start from any stored commit, as long as they
     * lead to one of the branch. Costs as {@link #resolve}.
     *
     * @throws RefusedException 404 if there is no such reference, or the expected commit is not on its first-parent line; 400
     *     if it is a tag or detached, or the expected hash is missing or does not start with a commit's hash
     */
    public BranchTarget requireBranch(RefSpec spec, BranchUse use) {
        if (spec.isDetached()) {
            throw notABranch(use);
        }
        ReferenceRow row = row(spec);
        if (row.kind() != ReferenceKind.BRANCH) {
            throw notABranch(use);
        }
        String hash = requireUnambiguous(spec.commit(), HashRole.EXPECTED);
        Commit head = reader.commit(row.head().number());
        Commit start = head.id().toString().equals(hash)
                ? head
                : find(hash)
                        .orElseThrow(() -> spec.commit().steps().isEmpty()
                                ? notInReference(hash, row.name())
                                : noSuchCommit(hash));
        Commit expected = walk(start, spec.commit().steps());
        BranchTarget target = new BranchTarget(row, head, expected);
        target.requireOnLine(head, graph);
        return target;
    }

    /** Whether a name is that of the default branch. */
    public boolean isDefaultBranch(String name) {
        return name.equals(defaultBranch);
    }

    /**
     * The row of the branch or tag that is named, {@code -} being the default branch, whatever hash stands beside the name.
     *
     * @throws RefusedException 404 if there is none
     */
    public ReferenceRow row(RefSpec spec) {
        String name = ownName(spec);
        return store.reference(name).orElseThrow(() -> notFound(name));
    }

    /** The own name of the branch or tag that is named, {@code -} being the default branch, whether it is there or not. */
    public String ownName(RefSpec spec) {
        String name = spec.name();
        if (name == null) {
            throw new IllegalArgumentException("A detached commit has no name");
        }
        return name.equals("-") ? defaultBranch : name;
    }

    /**
     * Checks that a branch or tag is exactly where its caller expects it to be. Reads nothing unless there are steps, so a
     * reference whose commit was lost can still be moved and deleted.
     *
     * @throws RefusedException 400 if the expected hash is missing or does not start with a commit's hash; 404 if a hash with
     *     steps names no stored commit; 409 if the reference is elsewhere
     */
    public void requireAt(ReferenceRow row, HashSpec expected) {
        String hash = requireUnambiguous(expected, HashRole.EXPECTED);
        String resolved = expected.steps().isEmpty()
                ? hash
                : commit(row.head(), expected).id().toString();
        if (!row.head().id().toString().equals(resolved)) {
            throw notAt(row.name(), resolved, row.head().id());
        }
    }

    /**
     * Checks that a branch or tag is of the kind that its caller expects.
     *
     * @param expected null if the caller does not care
     * @throws RefusedException 400 if it is of the other kind
     */
    public static void requireKind(ReferenceRow row, @Nullable ReferenceKind expected) {
        if (expected != null && expected != row.kind()) {
            throw RefusedException.badRequest("Expected reference type " + expected
                    + " does not match existing reference '" + row.name() + "' of type " + row.kind() + ".");
        }
    }

    /** The row of a branch or tag by its own name. Costs one store trip. */
    public Optional<ReferenceRow> findRow(String name) {
        return store.reference(name);
    }

    /** The 404 for an expected commit that is not on a branch's first-parent line, or no longer. */
    public static RefusedException notInReference(String hash, String name) {
        return RefusedException.referenceNotFound("Could not find commit '" + hash + "' in reference '" + name + "'.");
    }

    /** The 404 for a hash that names no commit, or none that the caller may know of. */
    public static RefusedException noSuchCommit(String hash) {
        return RefusedException.referenceNotFound("Commit '" + hash + "' not found");
    }

    /** The 404 for a name that no branch or tag has, or none that the caller may know of. */
    public static RefusedException notFound(String name) {
        return RefusedException.referenceNotFound("Named reference '" + name + "' not found");
    }

    /** The 409 for a reference that is not where its caller expects it. */
    static RefusedException notAt(String name, String expected, CommitId actual) {
        String clause = actual.toString().equals(expected)
                ? "-reference '" + name + "' was changed meanwhile, and is at hash '" + actual + "' again"
                : "-reference '" + name + "' is not at expected hash '" + expected + "', but at '" + actual + "'";
        return RefusedException.conflict(
                "Named" + clause + ".", List.of(new Conflict(ConflictType.UNEXPECTED_HASH, null, "named" + clause)));
    }

    private Commit commit(Head head, HashSpec spec) {
        String hash = spec.hash();
        Commit start = hash == null ? reader.commit(head.number()) : find(hash).orElseThrow(() -> noSuchCommit(hash));
        return walk(start, spec.steps());
    }

    private Optional<Commit> find(String hash) {
        return isWhole(hash) ? reader.findCommit(CommitId.parse(hash)) : Optional.empty();
    }

    /** Short hashes are legal and never abbreviations: no commit has such an id. */
    private static boolean isWhole(String hash) {
        return hash.length() == 2 * CommitId.BYTES;
    }

    private Commit walk(Commit start, List<RelativeSpec> steps) {
        Commit at = start;
        for (RelativeSpec step : steps) {
            at = switch (step) {
                case RelativeSpec.Predecessor(int n) -> graph.ancestor(at, Math.max(0, at.seq() - n));
                case RelativeSpec.Parent(int n) ->
                    n <= at.parents().size()
                            ? reader.commit(at.parents().get(n - 1).number())
                            : Commit.NO_ANCESTOR;
                case RelativeSpec.AsOf(Instant time) -> graph.asOf(at, Instants.micros(time));
            };
        }
        return at;
    }

    /**
     * Checks that a hash is given and starts with a commit's hash, which is returned.
     *
     * @throws RefusedException 400 if not
     */
    public static String requireUnambiguous(HashSpec spec, HashRole role) {
        if (spec.isHead()) {
            throw RefusedException.badRequest(role.label() + " must be provided.");
        }
        return requireStart(spec, role);
    }

    private static String requireStart(HashSpec spec, HashRole role) {
        String hash = spec.hash();
        if (hash == null) {
            throw RefusedException.badRequest(role.label() + " must contain a starting commit ID.");
        }
        return hash;
    }

    private static RefusedException notABranch(BranchUse use) {
        return RefusedException.badRequest("Reference to " + use.verb() + " into must be a branch.");
    }
}
