package org.anabranch.service;

import static org.anabranch.testing.Callers.UNRESTRICTED;
import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.namespace;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitOutcome;
import org.anabranch.model.CommitOutcome.Committed;
import org.anabranch.model.CommitOutcome.Conflicted;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.KeyMergeMode;
import org.anabranch.model.MergeMode;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.MergeOutcome.Merged;
import org.anabranch.model.MergeOutcome.NothingToDo;
import org.anabranch.model.MergeOutcome.WouldMerge;
import org.anabranch.model.Operation;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.RefusedException;
import org.anabranch.object.Commit;
import org.anabranch.store.Store;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.MapModel;
import org.anabranch.testing.ReferenceCatalog;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.check.CheckReport;
import org.anabranch.versioning.check.RepositoryCheck;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random sequences of all writes - commits, merges, transplants, and branches that are created, assigned and deleted - against one
 * plain map per commit and one head per branch, compared after every step.
 *
 * <p>Set the number of seeds with {@code -Dmodel.seeds=N} and of steps with {@code -Dmodel.steps=N}.
 */
class CatalogModelTest {

    private static final int STEPS = Integer.getInteger("model.steps", 80);
    private static final List<String> BRANCHES = List.of(MAIN, "one", "two", "three");
    private static final List<ContentKey> KEYS =
            List.of("a", "b", "c", "d", "n", "n.a", "n.b", "n.m", "n.m.a", "o", "o.a").stream()
                    .map(TestCatalog::key)
                    .toList();
    private static final Set<String> NAMESPACES = Set.of("n", "m", "o");

    /** What the model knows of a commit. */
    private record Known(List<CommitId> parents, SortedMap<ContentKey, Content> contents) {}

    private ReferenceCatalog references;
    private TestCatalog catalog;
    private final Map<CommitId, Known> commits = new HashMap<>();
    private final SortedMap<String, CommitId> heads = new TreeMap<>();
    private final Map<String, Integer> done = new TreeMap<>();

    /** An empty one. */
    Store newStore() {
        return new MemoryStore();
    }

    @BeforeEach
    void open() {
        references = new ReferenceCatalog(newStore());
        catalog = references.commits();
    }

    static IntStream seeds() {
        return IntStream.range(0, Integer.getInteger("model.seeds", 40));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void allWritesDoWhatTheyDoToMaps(int seed) {
        Random random = new Random(seed);
        commits.put(CommitId.NO_ANCESTOR, new Known(List.of(), new TreeMap<>()));
        heads.put(MAIN, CommitId.NO_ANCESTOR);
        commit(MAIN, random);
        create(random);
        for (int step = 0; step < STEPS; step++) {
            String branch = any(List.copyOf(heads.keySet()), random);
            switch (random.nextInt(12)) {
                case 0 -> create(random);
                case 1 -> assign(branch, random);
                case 2 -> delete(branch, random);
                case 3, 4, 5 -> merge(any(List.copyOf(heads.keySet()), random), branch, random);
                case 6, 7 -> transplant(any(List.copyOf(heads.keySet()), random), branch, random);
                default -> commit(branch, random);
            }
            heads.forEach((name, head) -> {
                assertThat(catalog.head(name)).as(name).isEqualTo(head);
                assertThat(stored(head)).as(name).isEqualTo(contents(head));
            });
        }
        assertThat(done)
                .as("what was done, so that a refusal of everything is no success")
                .containsKeys("commit", "assign", "create");
        commits.forEach((id, known) -> assertThat(stored(id)).isEqualTo(known.contents()));
        assertThat(RepositoryCheck.full(catalog.store())).matches(CheckReport::isClean);
    }

    @AfterEach
    void close() {
        references.close();
        catalog.store().close();
    }

    private SortedMap<ContentKey, Content> stored(CommitId id) {
        return id.equals(CommitId.NO_ANCESTOR) ? new TreeMap<>() : catalog.contents(id);
    }

    private void create(Random random) {
        BRANCHES.stream().filter(name -> !heads.containsKey(name)).findFirst().ifPresent(name -> {
            CommitId at = anyCommit(random);
            references.create(name, ReferenceKind.BRANCH, at);
            heads.put(name, at);
            count("create");
        });
    }

    private void assign(String branch, Random random) {
        CommitId to = anyCommit(random);
        references
                .assign()
                .assign(
                        TestCatalog.at(branch, heads.get(branch)),
                        ReferenceKind.BRANCH,
                        TestCatalog.at(MAIN, to),
                        UNRESTRICTED,
                        null);
        heads.put(branch, to);
        count("assign");
    }

    private void delete(String branch, Random random) {
        if (!branch.equals(MAIN) && random.nextBoolean()) {
            references.delete().delete(TestCatalog.at(branch, heads.get(branch)), null, UNRESTRICTED, null);
            heads.remove(branch);
            count("delete");
        }
    }

    private void commit(String branch, Random random) {
        CommitId head = heads.get(branch);
        SortedMap<ContentKey, Content> now = contents(head);
        List<Operation> operations = operations(random, now);
        CommitOutcome outcome = catalog.commitAt(branch, head, operations.toArray(Operation[]::new));
        if (MapModel.namespaceConflicts(operations, now).isEmpty()) {
            assertThat(outcome).as("%s on %s", operations, now).isInstanceOf(Committed.class);
            Committed committed = (Committed) outcome;
            moved(branch, List.of(head), MapModel.applied(operations, now, committed), committed.head());
            count("commit");
        } else {
            assertThat(outcome).isInstanceOf(Conflicted.class);
        }
    }

    private void merge(String source, String target, Random random) {
        MergeMode mode = any(List.of(MergeMode.NORMAL, MergeMode.NORMAL, MergeMode.FORCE, MergeMode.DROP), random);
        CommitId from = heads.get(source);
        CommitId to = heads.get(target);
        List<CommitId> bases = bases(from, to);
        if (bases.isEmpty()) {
            if (!from.equals(CommitId.NO_ANCESTOR)) {
                assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> catalog.merge(source, target));
            }
            return;
        }
        List<ContentKey> changed = KEYS.stream()
                .filter(key -> bases.stream()
                        .noneMatch(base -> Objects.equals(
                                contents(base).get(key), contents(from).get(key))))
                .toList();
        boolean dropsOne = mode != MergeMode.DROP && !changed.isEmpty() && random.nextInt(4) == 0;
        KeyMergeMode[] modes = dropsOne
                ? new KeyMergeMode[] {new KeyMergeMode(any(changed, random), MergeMode.DROP, null, null)}
                : new KeyMergeMode[0];
        MergeOutcome predicted = catalog.merge(source, target, mode, true, modes);
        MergeOutcome outcome = catalog.merge(source, target, mode, false, modes);
        assertThat(isGood(predicted)).as("%s, %s", predicted, outcome).isEqualTo(isGood(outcome));

        SortedMap<ContentKey, Content> before = contents(to);
        SortedMap<ContentKey, Content> after = outcome instanceof Merged ? catalog.contents(target) : before;
        if (bases.size() == 1 && !dropsOne) {
            SortedMap<ContentKey, Content> expected = expected(contents(bases.get(0)), contents(from), before, mode);
            assertThat(isGood(outcome))
                    .as("%s of %s into %s: %s", mode, source, target, outcome)
                    .isEqualTo(expected != null);
            assertThat(after).isEqualTo(expected == null ? before : expected);
        } else {
            assertThat(KEYS)
                    .allSatisfy(key -> assertThat(after.get(key))
                            .isIn(before.get(key), contents(from).get(key)));
            assertThat(MapModel.hasTwins(after)).isFalse();
            assertThat(MapModel.hasOrphans(after)).isFalse();
        }
        if (outcome instanceof Merged merged) {
            moved(target, List.of(to, from), after, merged.head());
            count("merge " + mode);
        }
    }

    private static boolean isGood(MergeOutcome outcome) {
        return outcome instanceof Merged || outcome instanceof NothingToDo || outcome instanceof WouldMerge;
    }

    /** Null for a conflict. */
    private static SortedMap<ContentKey, Content> expected(
            SortedMap<ContentKey, Content> base,
            SortedMap<ContentKey, Content> source,
            SortedMap<ContentKey, Content> target,
            MergeMode mode) {
        SortedMap<ContentKey, Content> after =
                switch (mode) {
                    case DROP -> target;
                    case FORCE -> MapModel.forced(base, source, target);
                    case NORMAL ->
                        MapModel.mergeConflicts(base, source, target).isEmpty()
                                ? MapModel.merged(base, source, target)
                                : null;
                };
        return after == null || MapModel.hasTwins(after) || MapModel.hasOrphans(after) ? null : after;
    }

    /** Replays one to three commits of a branch, each the first parent of the next. */
    private void transplant(String source, String target, Random random) {
        List<CommitId> line = new ArrayList<>();
        CommitId at = heads.get(source);
        for (int i = random.nextInt(3); i >= 0 && !at.equals(CommitId.NO_ANCESTOR); i--) {
            line.addFirst(at);
            at = commits.get(at).parents().get(0);
        }
        if (line.isEmpty()) {
            return;
        }
        SortedMap<ContentKey, Content> expected = contents(heads.get(target));
        for (CommitId commit : line) {
            CommitId parent = commits.get(commit).parents().get(0);
            expected =
                    expected == null ? null : expected(contents(parent), contents(commit), expected, MergeMode.NORMAL);
        }

        MergeOutcome outcome = catalog.transplant(target, line.toArray(CommitId[]::new));

        assertThat(isGood(outcome))
                .as("transplant from %s to %s: %s", source, target, outcome)
                .isEqualTo(expected != null);
        if (outcome instanceof Merged merged) {
            CommitId before = heads.get(target);
            for (Commit commit : catalog.log(target)) {
                if (commits.containsKey(commit.id())) {
                    break;
                }
                commits.put(commit.id(), new Known(commit.header().parents(), catalog.contents(commit.id())));
            }
            assertThat(ancestors(merged.head())).contains(before);
            moved(target, commits.get(merged.head()).parents(), expected, merged.head());
            count("transplant");
        }
    }

    private void moved(String branch, List<CommitId> parents, SortedMap<ContentKey, Content> contents, CommitId head) {
        commits.put(head, new Known(parents, contents));
        heads.put(branch, head);
    }

    private SortedMap<ContentKey, Content> contents(CommitId id) {
        return commits.get(id).contents();
    }

    /** The common ancestors that no other one descends from. */
    private List<CommitId> bases(CommitId one, CommitId other) {
        Set<CommitId> common = ancestors(one);
        common.retainAll(ancestors(other));
        common.remove(CommitId.NO_ANCESTOR);
        Set<CommitId> best = new TreeSet<>(common);
        for (CommitId ancestor : common) {
            Set<CommitId> older = ancestors(ancestor);
            older.remove(ancestor);
            best.removeAll(older);
        }
        return List.copyOf(best);
    }

    /** With the commit itself. */
    private Set<CommitId> ancestors(CommitId id) {
        Set<CommitId> found = new TreeSet<>(Set.of(id));
        List<CommitId> left = new ArrayList<>(List.of(id));
        while (!left.isEmpty()) {
            for (CommitId parent : commits.get(left.removeLast()).parents()) {
                if (found.add(parent)) {
                    left.add(parent);
                }
            }
        }
        return found;
    }

    private static List<Operation> operations(Random random, Map<ContentKey, Content> now) {
        List<Operation> operations = new ArrayList<>();
        Set<ContentKey> used = new TreeSet<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            ContentKey key = any(KEYS, random);
            ContentKey to = any(KEYS, random);
            Content content = now.get(key);
            if (!used.add(key)) {
                continue;
            }
            Content fresh = NAMESPACES.contains(key.name()) ? namespace() : table("state " + random.nextInt(3));
            if (content == null) {
                operations.add(random.nextInt(5) == 0 ? new Operation.Unchanged(key) : new Operation.Put(key, fresh));
                continue;
            }
            switch (random.nextInt(6)) {
                case 0 -> operations.add(new Operation.Delete(key));
                case 1 -> {
                    operations.add(new Operation.Delete(key));
                    operations.add(new Operation.Put(key, fresh));
                }
                case 2 -> {
                    operations.add(new Operation.Delete(key));
                    if (!now.containsKey(to) && used.add(to)) {
                        operations.add(new Operation.Put(to, content));
                    }
                }
                case 3 -> operations.add(new Operation.Unchanged(key));
                default ->
                    operations.add(new Operation.Put(
                            key,
                            content.type() == ContentType.NAMESPACE
                                    ? content
                                    : table("state " + random.nextInt(3)).withId(content.id())));
            }
        }
        return operations;
    }

    private CommitId anyCommit(Random random) {
        return any(commits.keySet().stream().sorted().toList(), random);
    }

    private void count(String what) {
        done.merge(what, 1, Integer::sum);
    }

    private static <T> T any(List<T> values, Random random) {
        return values.get(random.nextInt(values.size()));
    }
}
