package org.anabranch.versioning.merge;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.anabranch.model.CommitId;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.MergeOutcome.Conflicted;
import org.anabranch.model.MergeOutcome.Merged;
import org.anabranch.model.MergeOutcome.NamespacesConflicted;
import org.anabranch.model.MergeOutcome.NothingToDo;
import org.anabranch.model.Namespace;
import org.anabranch.object.Commit;
import org.anabranch.testing.RandomHistory;
import org.anabranch.testing.TestCatalog;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Laws of reverts over random histories. */
class RevertLawsTest {

    private final TestCatalog catalog = new TestCatalog();

    static IntStream seeds() {
        return IntStream.range(0, 40);
    }

    private RandomHistory history(int seed) {
        RandomHistory history = new RandomHistory(catalog, new Random(seed));
        history.grow(MAIN, MAIN, 5);
        history.fill(MAIN, seed % 2 * 40);
        catalog.branch("side", MAIN);
        history.grow(MAIN, "side", 15);
        return history;
    }

    private SortedMap<ContentKey, Content> before(Commit commit) {
        return catalog.contents(commit.parents().get(0).id());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void revertingTheHeadRestoresItsParentAndRevertingThatRestoresTheHead(int seed) {
        history(seed);
        Commit head = catalog.log(MAIN).get(0);
        SortedMap<ContentKey, Content> after = catalog.contents(MAIN);
        boolean changesNothing = before(head).equals(after);

        MergeOutcome outcome = catalog.revert(MAIN, head.id());
        assertThat(outcome).isInstanceOf(changesNothing ? NothingToDo.class : Merged.class);
        assertThat(catalog.contents(MAIN)).isEqualTo(before(head));

        if (outcome instanceof Merged merged) {
            assertThat(catalog.commit(merged.head()).parents()).containsExactly(head.head());
            assertThat(catalog.revert(MAIN, head.id())).as("taken back already").isInstanceOf(NothingToDo.class);
            assertThat(catalog.revert(MAIN, merged.head())).isInstanceOf(Merged.class);
            assertThat(catalog.contents(MAIN)).isEqualTo(after);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void anyCommitIsTakenBackAsOnMapsOrIsInConflict(int seed) {
        history(seed);
        for (Commit commit : catalog.log(MAIN)) {
            String branch = "revert " + commit.id();
            catalog.branch(branch, MAIN);
            SortedMap<ContentKey, Content> head = catalog.contents(MAIN);
            SortedMap<ContentKey, Content> base = catalog.contents(commit.id());
            SortedMap<ContentKey, Content> source = before(commit);
            List<ContentKey> touched = Stream.concat(base.keySet().stream(), source.keySet().stream())
                    .distinct()
                    .filter(key -> !Objects.equals(base.get(key), source.get(key)))
                    .toList();
            boolean isUntouchedSince = touched.stream().allMatch(key -> Objects.equals(base.get(key), head.get(key)));

            MergeOutcome outcome = catalog.revert(branch, commit.id());
            SortedMap<ContentKey, Content> result = catalog.contents(branch);
            switch (outcome) {
                case Merged merged -> {
                    SortedMap<ContentKey, Content> expected = new TreeMap<>(head);
                    touched.forEach(key -> {
                        expected.remove(key);
                        if (source.containsKey(key)) {
                            expected.put(key, restored(key, base, source, head));
                        }
                    });
                    assertThat(result).isEqualTo(expected);
                    assertThat(result.values().stream().map(Content::id).distinct())
                            .hasSameSizeAs(result.values());
                }
                case NothingToDo nothing -> {
                    assertThat(touched)
                            .allSatisfy(key -> assertThat(head.get(key)).isEqualTo(restored(key, base, source, head)));
                    assertThat(result).isEqualTo(head);
                }
                case Conflicted conflicted -> {
                    assertThat(result).isEqualTo(head);
                    assertThat(isUntouchedSince)
                            .as("only a content that came back under another key can be in the way")
                            .isEqualTo(conflicted.conflicts().stream()
                                    .allMatch(conflict -> conflict.message().contains("already exists under")));
                }
                case NamespacesConflicted namespaces -> assertThat(result).isEqualTo(head);
                default -> throw new AssertionError(outcome);
            }
        }
    }

    /** What a key holds after a revert: a namespace that was made anew since stays, as in merges. */
    private static Content restored(
            ContentKey key,
            Map<ContentKey, Content> base,
            Map<ContentKey, Content> source,
            Map<ContentKey, Content> head) {
        boolean wasMadeAnew =
                !base.containsKey(key) && source.get(key) instanceof Namespace && head.get(key) instanceof Namespace;
        return (wasMadeAnew ? head : source).get(key);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aKeyGoesBackToWhatItHeldAndTakesItsContentAlong(int seed) {
        history(seed);
        List<Commit> log = catalog.log(MAIN);
        for (ContentKey key : RandomHistory.KEYS) {
            for (Commit earlier : log.subList(0, 10)) {
                SortedMap<ContentKey, Content> head = catalog.contents(MAIN);
                SortedMap<ContentKey, Content> then = catalog.contents(earlier.id());
                if (!head.containsKey(key) && !then.containsKey(key)) {
                    continue;
                }
                String branch = key + " " + earlier.id();
                catalog.branch(branch, MAIN);
                MergeOutcome outcome = catalog.revert(branch, key.toString(), earlier.id());
                SortedMap<ContentKey, Content> result = catalog.contents(branch);
                if (outcome instanceof NamespacesConflicted) {
                    assertThat(result).isEqualTo(head);
                    continue;
                }
                assertThat(outcome).isInstanceOfAny(Merged.class, NothingToDo.class);
                assertThat(result.get(key)).isEqualTo(then.get(key));
                assertThat(result.values().stream().map(Content::id).distinct()).hasSameSizeAs(result.values());
                result.forEach((other, content) -> assertThat(content).isIn(head.get(other), then.get(other)));
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aCommitOfAMergedBranchCanBeTakenBack(int seed) {
        RandomHistory history = history(seed);
        CommitId merged = history.change("side");
        if (catalog.merge("side", MAIN) instanceof Merged) {
            assertThat(catalog.revert(MAIN, merged))
                    .isInstanceOfAny(Merged.class, NothingToDo.class, Conflicted.class, NamespacesConflicted.class);
        }
    }
}
