package org.anabranch.gc.mark;

import static org.anabranch.testing.CatalogInMemory.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.anabranch.gc.CatalogEntry;
import org.anabranch.gc.CatalogUnreadableException;
import org.anabranch.gc.Cutoff;
import org.anabranch.gc.Progress;
import org.anabranch.gc.ReferenceHead;
import org.anabranch.gc.Workers;
import org.anabranch.gc.policy.CutoffPolicies;
import org.anabranch.gc.policy.CutoffPolicies.ByName;
import org.anabranch.gc.policy.CutoffPolicies.Rule;
import org.anabranch.gc.policy.CutoffPolicy;
import org.anabranch.gc.state.StateFolder;
import org.anabranch.model.CommitId;
import org.anabranch.model.ContentKey;
import org.anabranch.testing.CatalogInMemory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is marked live, and how much of the catalog is read for it. */
class MarkTest {

    private static final Instant NOW = CatalogInMemory.BEGINNING.plus(Duration.ofDays(100));

    @TempDir
    private Path folder;

    private final CatalogInMemory catalog = new CatalogInMemory();
    private final Workers workers = new Workers(2);
    private StateFolder state;

    @BeforeEach
    void open() {
        state = StateFolder.open(folder, "test");
    }

    @AfterEach
    void close() {
        state.close();
        workers.close();
    }

    private static CutoffPolicies all(String policy) {
        ByName all = new ByName(List.of(), CutoffPolicy.parse(policy));
        return new CutoffPolicies(all, all);
    }

    private Mark mark(CutoffPolicies policies, CommitId... pins) {
        return new Mark(
                catalog, state.commitLog(), state.liveSet(), workers, Progress.NONE, policies, List.of(pins), NOW);
    }

    private Set<String> live() {
        return state.liveSet().unexpanded(Integer.MAX_VALUE).stream()
                .map(each -> each.pointer().metadataLocation())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> versions(String key, int first, int last) {
        return IntStream.rangeClosed(first, last)
                .mapToObj(i -> "s3://lake/" + key + "/metadata/v" + i)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void withoutACutoffEverythingOnTheLineIsLive() {
        catalog.branch("main", catalog.line(CommitId.NO_ANCESTOR, "t", 5));
        mark(all("NONE")).markAll();
        assertThat(live()).isEqualTo(versions("t", 1, 5));
    }

    @Test
    void aNumberCountsTheHead() {
        catalog.branch("main", catalog.line(CommitId.NO_ANCESTOR, "t", 5));
        mark(all("2")).markAll();
        assertThat(live()).isEqualTo(versions("t", 4, 5));
    }

    @Test
    void aCommitAtTheInstantIsLiveAndTheHeadAlwaysIs() {
        CommitId third = catalog.line(CommitId.NO_ANCESTOR, "t", 3);
        catalog.branch("main", catalog.line(third, "u", 2));
        catalog.branch("old", catalog.parentOf(third));
        mark(all(catalog.timeOf(third).toString())).markAll();
        assertThat(live()).isEqualTo(union(versions("t", 2, 3), versions("u", 1, 2)));
    }

    @Test
    void theTreeAtTheOldestLiveCommitIsLiveWhoeverPutIt() {
        CommitId t = catalog.line(CommitId.NO_ANCESTOR, "t", 3);
        catalog.branch("main", catalog.line(t, "u", 3));
        mark(all("2")).markAll();
        assertThat(live()).isEqualTo(union(versions("t", 3, 3), versions("u", 2, 3)));
    }

    @Test
    void whatWasDeletedInsideTheCutoffIsLive() {
        CommitId t = catalog.line(CommitId.NO_ANCESTOR, "t", 1);
        catalog.branch("main", catalog.commit(t, List.of(), ContentKey.of("t")));
        mark(all("2")).markAll();
        assertThat(live()).isEqualTo(versions("t", 1, 1));
        state.runs().begin(NOW, "another");
        mark(all("1")).markAll();
        assertThat(live()).isEmpty();
    }

    @Test
    void aPinShowsItsTreeAlone() {
        CommitId pinned = catalog.line(CommitId.NO_ANCESTOR, "t", 3);
        catalog.branch("main", catalog.line(CommitId.NO_ANCESTOR, "u", 1));
        mark(all("NONE"), pinned).markAll();
        assertThat(live()).isEqualTo(union(versions("t", 3, 3), versions("u", 1, 1)));
    }

    @Test
    void rulesGoByWholeNamesAndTellTagsFromBranches() {
        catalog.branch("ab", catalog.line(CommitId.NO_ANCESTOR, "ab", 3));
        catalog.branch("a", catalog.line(CommitId.NO_ANCESTOR, "a", 3));
        catalog.tag("b", catalog.line(CommitId.NO_ANCESTOR, "b", 3));
        mark(new CutoffPolicies(
                        new ByName(List.of(Rule.parse("a|b", "1")), CutoffPolicy.parse("NONE")),
                        new ByName(List.of(), CutoffPolicy.parse("2"))))
                .markAll();
        assertThat(live()).isEqualTo(union(versions("ab", 1, 3), union(versions("a", 3, 3), versions("b", 2, 3))));
    }

    @Test
    void whatMovedOrAppearedIsMarkedAgainAndWhatWasDeletedStays() {
        CommitId t = catalog.line(CommitId.NO_ANCESTOR, "t", 2);
        catalog.branch("main", t);
        catalog.branch("gone", catalog.line(CommitId.NO_ANCESTOR, "gone", 1));
        Mark mark = mark(all("1"));
        mark.markAll();
        catalog.delete("gone");
        catalog.branch("main", catalog.line(t, "u", 1));
        catalog.branch("old", catalog.parentOf(t));
        mark.markAgain();
        assertThat(live()).isEqualTo(union(versions("t", 1, 2), union(versions("u", 1, 1), versions("gone", 1, 1))));
    }

    @Test
    void aTagInPlaceOfABranchOfItsNameIsMarkedByItsOwnPolicy() {
        CommitId head = catalog.line(CommitId.NO_ANCESTOR, "t", 5);
        catalog.branch("release", head);
        CutoffPolicies policies = new CutoffPolicies(
                new ByName(List.of(), CutoffPolicy.parse("1")), new ByName(List.of(), CutoffPolicy.parse("NONE")));
        Mark mark = mark(policies);
        mark.markAll();
        catalog.tag("release", head);
        mark.markAgain();
        assertThat(live()).isEqualTo(versions("t", 1, 5));
    }

    /**
     * <pre>
     * seed - low - x - x - y - y - z - z
     *                  |       |       |
     *                first  second   third
     * </pre>
     *
     * One thread waits at the first tree, so the other one is done with the second when it comes to the third.
     */
    @Test
    void changesToATreeThatWasNeverReadDoNotCountAsATree() {
        CommitId low = catalog.line(catalog.line(CommitId.NO_ANCESTOR, "seed", 1), "low", 1);
        CommitId first = catalog.line(low, "x", 2);
        CommitId second = catalog.line(first, "y", 2);
        CommitId third = catalog.line(second, "z", 2);
        catalog.branch("first", first);
        catalog.branch("second", second);
        catalog.branch("third", third);
        CountDownLatch secondIsRead = new CountDownLatch(1);
        catalog.setBeforeTree(commit -> {
            if (commit.equals(third)) {
                secondIsRead.countDown();
            }
            if (commit.equals(first)) {
                await(secondIsRead);
                throw new CatalogUnreadableException("The first tree cannot be read", null);
            }
        });
        Mark mark = mark(all("1"));
        assertThatThrownBy(mark::markAll).hasMessage("The first tree cannot be read");
        catalog.setBeforeTree(commit -> {});

        // From now on the first tree need not be read: what is below it is live.
        catalog.branch("below the first", catalog.parentOf(first));
        catalog.branch("low", low);
        mark.markAgain();
        assertThat(live()).containsAll(shown(all("1")));
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"P400000000D", "PT9223372036854775807S", "-999999999-01-01T00:00:00Z"})
    void aCutoffBeforeAllTimeKeepsEverything(String cutoff) {
        catalog.branch("main", catalog.line(CommitId.NO_ANCESTOR, "t", 5));
        mark(all(cutoff)).markAll();
        assertThat(live()).isEqualTo(versions("t", 1, 5));
    }

    @Test
    void anUnreadableReferenceStopsTheMark() {
        Mark mark = mark(all("1"));
        mark.markAll();
        catalog.setBroken(true);
        assertThatThrownBy(mark::markAgain).isInstanceOf(CatalogUnreadableException.class);
    }

    @Test
    void readsTablesPlusChangesWhateverTheNumberOfReferences() {
        int tables = 1000;
        int commits = 1000;
        List<CatalogEntry> all =
                IntStream.range(0, tables).mapToObj(i -> table("t" + i, "v0")).toList();
        CommitId head = catalog.commit(CommitId.NO_ANCESTOR, all);
        for (int i = 1; i < commits; i++) {
            head = catalog.commit(head, List.of(table("t" + i % tables, "v" + i)));
            if (i % 10 == 0) {
                catalog.branch("b" + i, head);
                catalog.tag("tag" + i, head);
            }
        }
        catalog.branch("main", head);
        mark(all("3")).markAll();
        assertThat(catalog.commitsRead()).isEqualTo(commits);
        assertThat(catalog.entriesRead()).isBetween((long) tables, (long) tables + commits);

        state.runs().begin(NOW, "the next run");
        catalog.branch("main", catalog.commit(head, List.of(table("t0", "new"))));
        mark(all("3")).markAll();
        assertThat(catalog.commitsRead()).as("only the new one").isEqualTo(commits + 1);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void agreesWithLookingAtEveryLiveCommit(long seed) {
        Random random = new Random(seed);
        List<CommitId> commits = randomHistory(random);
        CutoffPolicies policies = randomPolicies(random);
        Mark mark = mark(policies);
        mark.markAll();
        Set<String> expected = new TreeSet<>(shown(policies));
        assertThat(live()).isEqualTo(expected);

        catalog.branch("r1", commits.get(random.nextInt(commits.size())));
        catalog.branch("late", commits.get(random.nextInt(commits.size())));
        mark.markAgain();
        expected.addAll(shown(policies));
        assertThat(live()).isEqualTo(expected);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void agreesThoughTreesCannotBeReadAndReferencesMoveMeanwhile(long seed) {
        Random random = new Random(seed);
        List<CommitId> commits = randomHistory(random);
        CutoffPolicies policies = randomPolicies(random);
        catalog.setBeforeTree(commit -> {
            if (random.nextInt(3) == 0) {
                throw new CatalogUnreadableException("not now", null);
            }
        });
        Set<String> expected = new TreeSet<>();
        int failures = 0;
        for (boolean isMarked = false; !isMarked; ) {
            expected.addAll(shown(policies));
            try {
                mark(policies).markAll();
                isMarked = true;
            } catch (CatalogUnreadableException e) {
                failures++;
                // Below a head, so that its tree need not be read any more; or anywhere.
                List<ReferenceHead> heads = catalog.heads();
                CommitId head = heads.get(random.nextInt(heads.size())).head();
                catalog.branch(
                        "r" + random.nextInt(20),
                        random.nextBoolean() && !head.equals(CommitId.NO_ANCESTOR)
                                ? catalog.parentOf(head)
                                : commits.get(random.nextInt(commits.size())));
            }
            if (failures == 20) {
                catalog.setBeforeTree(commit -> {});
            }
        }
        assertThat(live()).isEqualTo(expected);
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("mark.seeds", 60));
    }

    /** Lines that branch off one another, and references somewhere on them. */
    private List<CommitId> randomHistory(Random random) {
        List<CommitId> commits = new ArrayList<>(List.of(CommitId.NO_ANCESTOR));
        for (int i = 0; i < 120; i++) {
            CommitId parent = commits.get(random.nextInt(4) == 0 ? random.nextInt(commits.size()) : commits.size() - 1);
            String key = "t" + random.nextInt(12);
            commits.add(
                    random.nextInt(6) == 0
                            ? catalog.commit(parent, List.of(), ContentKey.of(key))
                            : catalog.commit(parent, List.of(table(key, "v" + i))));
        }
        for (int i = 0; i < 8; i++) {
            CommitId head = commits.get(random.nextInt(commits.size()));
            if (random.nextBoolean()) {
                catalog.branch("r" + i, head);
            } else {
                catalog.tag("r" + i, head);
            }
        }
        return commits;
    }

    private static CutoffPolicies randomPolicies(Random random) {
        List<String> choices = List.of(
                "NONE",
                "1",
                "7",
                "30",
                CatalogInMemory.BEGINNING.plus(Duration.ofMinutes(60)).toString());
        return new CutoffPolicies(
                new ByName(
                        List.of(Rule.parse("r[0-3]", choices.get(random.nextInt(choices.size())))),
                        CutoffPolicy.parse(choices.get(random.nextInt(choices.size())))),
                new ByName(List.of(), CutoffPolicy.parse(choices.get(random.nextInt(choices.size())))));
    }

    /** Every live commit's whole tree. */
    private Set<String> shown(CutoffPolicies policies) {
        Set<String> shown = new TreeSet<>();
        for (ReferenceHead reference : catalog.heads()) {
            Cutoff cutoff = policies.cutoff(reference, NOW);
            CommitId commit = reference.head();
            for (int k = 1; !commit.equals(CommitId.NO_ANCESTOR); k++) {
                if (k > 1 && (k > cutoff.commits() || catalog.timeOf(commit).isBefore(cutoff.oldest()))) {
                    break;
                }
                shown.addAll(catalog.shownAt(commit));
                commit = catalog.parentOf(commit);
            }
        }
        return shown;
    }

    private static Set<String> union(Set<String> one, Set<String> other) {
        Set<String> union = new TreeSet<>(one);
        union.addAll(other);
        return union;
    }
}
