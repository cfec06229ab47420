package org.anabranch.versioning.merge;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.namespace;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.anabranch.dag.CommitGraph;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitOutcome;
import org.anabranch.model.CommitOutcome.Committed;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.MergeMode;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.MergeOutcome.Conflicted;
import org.anabranch.model.MergeOutcome.Merged;
import org.anabranch.model.MergeOutcome.NamespacesConflicted;
import org.anabranch.model.MergeOutcome.NothingToDo;
import org.anabranch.model.Operation;
import org.anabranch.testing.MapModel;
import org.anabranch.testing.TestCatalog;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Laws of merges over random histories: two sides of a common base, each changed by random commits that create, update, delete,
 * replace and rename, with namespaces among them.
 */
class MergeLawsTest {

    private static final List<ContentKey> KEYS =
            List.of("a", "b", "c", "d", "e", "n", "n.a", "n.b", "n.m", "n.m.a").stream()
                    .map(TestCatalog::key)
                    .toList();

    private final TestCatalog catalog = new TestCatalog();
    private SortedMap<ContentKey, Content> base;

    static IntStream seeds() {
        return IntStream.range(0, 60);
    }

    /** Makes a base on main, a branch {@code one} and a branch {@code two}, and changes both. */
    private void diverge(Random random, int commitsOnTwo) {
        catalog.commit(MAIN, new Operation.Put(KEYS.get(5), namespace()));
        change(random, MAIN, 6);
        base = catalog.contents(MAIN);
        catalog.branch("one", MAIN);
        catalog.branch("two", MAIN);
        change(random, "one", 1 + random.nextInt(3));
        change(random, "two", commitsOnTwo);
    }

    private void change(Random random, String branch, int commits) {
        for (int i = 0; i < commits; ) {
            CommitId head = catalog.head(branch);
            CommitOutcome outcome = catalog.commitAt(
                    branch, head, operations(random, catalog.contents(branch)).toArray(Operation[]::new));
            if (outcome instanceof Committed) {
                i++;
            }
        }
    }

    private static List<Operation> operations(Random random, Map<ContentKey, Content> now) {
        List<Operation> operations = new ArrayList<>();
        Set<ContentKey> used = new TreeSet<>();
        for (int i = 0; i < 1 + random.nextInt(3); i++) {
            ContentKey key = KEYS.get(random.nextInt(KEYS.size()));
            ContentKey to = KEYS.get(random.nextInt(KEYS.size()));
            if (!used.add(key)) {
                continue;
            }
            Content content = now.get(key);
            Content fresh = key.name().equals("n") || key.name().equals("m")
                    ? namespace()
                    : table("state " + random.nextInt(3));
            if (content == null) {
                operations.add(new Operation.Put(key, fresh));
                continue;
            }
            switch (random.nextInt(4)) {
                case 0 -> operations.add(new Operation.Delete(key));
                case 1 -> {
                    operations.add(new Operation.Delete(key));
                    operations.add(new Operation.Put(key, fresh));
                }
                case 2 -> {
                    if (!now.containsKey(to) && used.add(to)) {
                        operations.add(new Operation.Delete(key));
                        operations.add(new Operation.Put(to, content));
                    } else {
                        operations.add(new Operation.Delete(key));
                    }
                }
                default -> {
                    if (content.type() == ContentType.NAMESPACE) {
                        operations.add(new Operation.Delete(key));
                    } else {
                        operations.add(new Operation.Put(
                                key, table("state " + random.nextInt(3)).withId(content.id())));
                    }
                }
            }
        }
        return operations;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void mergingIntoTheUntouchedBaseGivesTheSource(int seed) {
        diverge(new Random(seed), 0);
        SortedMap<ContentKey, Content> source = catalog.contents("one");
        MergeOutcome outcome = catalog.merge("one", "two");
        assertThat(outcome).isInstanceOf(source.equals(base) ? NothingToDo.class : Merged.class);
        assertThat(catalog.contents("two")).isEqualTo(source);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void mergingWhatTheTargetHasChangesNothing(int seed) {
        diverge(new Random(seed), 0);
        CommitId[] commits = catalog.log("one").reversed().stream()
                .skip(catalog.log(MAIN).size())
                .map(commit -> commit.id())
                .toArray(CommitId[]::new);
        catalog.transplant("two", commits);
        assertThat(catalog.contents("two")).isEqualTo(catalog.contents("one"));
        CommitId before = catalog.head("two");
        assertThat(catalog.merge("one", "two")).isInstanceOf(NothingToDo.class);
        assertThat(catalog.head("two")).isEqualTo(before);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aMergeDoesWhatItDoesToMaps(int seed) {
        Random random = new Random(seed);
        diverge(random, 1 + random.nextInt(3));
        checkBothWays();
        // And once more, on top of what was merged.
        base = catalog.contents("one");
        if (catalog.merge("one", "two", MergeMode.FORCE, false) instanceof Merged) {
            change(random, "one", 1);
            change(random, "two", 1);
            checkBothWays();
        }
    }

    private void checkBothWays() {
        SortedSet<ContentKey> conflicts = check("one", "two");
        assertThat(check("two", "one")).as("keys in conflict, sides swapped").isEqualTo(conflicts);
    }

    /** Merges into a copy of the target, compares with the naive merge, and returns the keys in conflict. */
    private SortedSet<ContentKey> check(String source, String target) {
        SortedMap<ContentKey, Content> s = catalog.contents(source);
        SortedMap<ContentKey, Content> t = catalog.contents(target);
        SortedMap<ContentKey, Content> b = catalog.contents(baseOf(source, target));
        String copy = "copy of " + target + " " + catalog.head(target) + catalog.head(source);
        catalog.branch(copy, target);

        MergeOutcome outcome = catalog.merge(source, copy);

        SortedSet<ContentKey> expected = MapModel.mergeConflicts(b, s, t);
        SortedMap<ContentKey, Content> result = MapModel.merged(b, s, t);
        switch (outcome) {
            case Conflicted conflicted -> {
                SortedSet<ContentKey> conflicts = new TreeSet<>();
                conflicted.conflicts().forEach(conflict -> conflicts.add(conflict.key()));
                assertThat(conflicts).isEqualTo(expected);
                assertThat(catalog.contents(copy)).isEqualTo(t);
            }
            case NamespacesConflicted namespaces -> {
                assertThat(catalog.contents(copy)).isEqualTo(t);
                if (expected.isEmpty()) {
                    assertThat(MapModel.hasOrphans(result)).isTrue();
                }
            }
            case NothingToDo nothing -> {
                assertThat(expected).isEmpty();
                assertThat(result).isEqualTo(t);
                assertThat(catalog.contents(copy)).isEqualTo(t);
            }
            case Merged merged -> {
                assertThat(expected).isEmpty();
                assertThat(catalog.contents(copy)).isEqualTo(result);
                assertThat(MapModel.hasOrphans(result)).isFalse();
                assertThat(result.values().stream().map(Content::id).distinct()).hasSameSizeAs(result.values());
            }
            default -> throw new AssertionError(outcome);
        }
        return expected;
    }

    private CommitId baseOf(String source, String target) {
        return new CommitGraph(catalog.objects())
                .mergeBases(catalog.commit(catalog.head(source)), catalog.commit(catalog.head(target)))
                .get(0)
                .id();
    }
}
