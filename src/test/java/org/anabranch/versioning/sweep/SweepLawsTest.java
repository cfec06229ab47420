package org.anabranch.versioning.sweep;

import static org.anabranch.testing.Callers.UNRESTRICTED;
import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.at;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitOutcome;
import org.anabranch.model.CommitOutcome.Committed;
import org.anabranch.model.CommitRequest;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.GivenMeta;
import org.anabranch.model.Idempotency;
import org.anabranch.model.MergeMode;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.MergeOutcome.Merged;
import org.anabranch.model.MergeRequest;
import org.anabranch.model.Operation;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.RefusedException;
import org.anabranch.object.Commit;
import org.anabranch.store.CommitLinks;
import org.anabranch.store.MissingRowException;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.Store;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.ReferenceCatalog;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.check.CheckReport;
import org.anabranch.versioning.check.RepositoryCheck;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random requests of two processes on one store, with sweeps in between that are interrupted at every step: by requests, by another
 * sweep, by a failure. Whatever names a commit that is condemned, half swept or gone succeeds whole or is refused as an unknown
 * hash; nothing that is reached ever goes, and what was not for long enough goes.
 *
 * <p>Set the number of seeds with {@code -Dsweep.seeds=N} and of steps with {@code -Dsweep.steps=N}.
 */
class SweepLawsTest {

    private static final Duration GRACE = Duration.ofHours(1);
    private static final int STEPS = Integer.getInteger("sweep.steps", 60);
    private static final List<String> NAMES = List.of("a", "b", "c", MAIN, "n", "o", "z");

    private Store store;
    private List<ReferenceCatalog> processes;
    private Random random;
    private Duration since = Duration.ZERO;
    private int depth;

    /** What was acknowledged: the contents of commits, and their parents. */
    private final Map<CommitId, SortedMap<ContentKey, Content>> contents = new HashMap<>();

    private final Map<CommitId, List<CommitId>> parents = new HashMap<>();
    private final Map<String, Integer> done = new TreeMap<>();

    /** An empty one. */
    Store newStore() {
        return new MemoryStore();
    }

    static IntStream seeds() {
        return IntStream.range(0, Integer.getInteger("sweep.seeds", 60));
    }

    @AfterEach
    void close() {
        processes.forEach(ReferenceCatalog::close);
        store.close();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void requestsAreWholeOrRefusedAndWhatIsReachedStays(int seed) {
        random = new Random(seed);
        store = newStore();
        processes =
                List.of(ReferenceCatalog.process(store, store, 0), ReferenceCatalog.process(store, store, 1_000_000));
        commit(any(processes), MAIN);
        for (int step = 0; step < STEPS; step++) {
            request();
            if (random.nextInt(4) == 0) {
                tick(GRACE.dividedBy(1 + random.nextInt(3)));
                sweepInterrupted();
            }
        }
        assertHeadsAreWhole();

        tick(Duration.ofDays(2));
        sweep();
        tick(GRACE);
        SweepReport last = sweep();
        assertThat(last.condemned()).isZero();
        assertThat(stored()).isEqualTo(reachedRows());
        assertHeadsAreWhole();
        tick(GRACE);
        SweepReport again = sweep();
        assertThat(again.deleted() + again.condemned() + again.waiting() + again.spared())
                .isZero();
        assertThat(again.rows()).isEqualTo(again.reached());
        assertThat(done).as("what was done").containsKeys("commit", "create", "sweep");
        assertThat(store.condemned(0, 10)).isEmpty();
    }

    private void assertHeadsAreWhole() {
        assertThat(RepositoryCheck.full(store))
                .satisfies(report -> assertThat(report.findings()).isEmpty())
                .matches(CheckReport::isClean);
        try (ReferenceCatalog fresh = ReferenceCatalog.process(store, store, 2_000_000)) {
            heads().forEach((name, head) ->
                    assertThat(fresh.commits().contents(head)).as(name).isEqualTo(contents.get(head)));
        }
    }

    private void tick(Duration time) {
        since = since.plus(time);
        processes.forEach(process -> process.commits().tick(time));
    }

    private Instant now() {
        return Instant.EPOCH.plusSeconds(1_700_000_000L).plus(since);
    }

    private SweepReport sweep() {
        SweepReport report =
                new StoreSweep(store, this::now, GRACE).run(SweepMode.SWEEP, SweepProgress.NONE, () -> false);
        done.merge("sweep", 1, Integer::sum);
        return report;
    }

    /** Between any two calls of the store others do something, or the sweep ends. */
    private void sweepInterrupted() {
        int oneIn = 2 + random.nextInt(6);
        depth++;
        Store interrupted = (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    if (random.nextInt(oneIn) == 0) {
                        interrupt();
                    }
                    try {
                        Object result = method.invoke(store, arguments);
                        if (method.getName().equals("delete") && (int) result > 0) {
                            done.merge("deleted", (int) result, Integer::sum);
                            if (random.nextInt(10) == 0) {
                                throw new OutcomeUnknownException("Planned", new IllegalStateException());
                            }
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        try {
            new StoreSweep(interrupted, this::now, GRACE, 1 + random.nextInt(3))
                    .run(
                            random.nextInt(10) == 0 ? SweepMode.DRY_RUN : SweepMode.SWEEP,
                            SweepProgress.NONE,
                            () -> random.nextInt(60) == 0);
            done.merge("sweep", 1, Integer::sum);
        } catch (StoreUnavailableException | OutcomeUnknownException crash) {
            done.merge("crash", 1, Integer::sum);
        } catch (UnsweepableException moved) {
            // Only when rows went that were listed as reached: by a sweep inside of this one.
            assertThat(moved).hasMessageContaining("is not stored");
            done.merge("unsweepable", 1, Integer::sum);
        } finally {
            depth--;
        }
    }

    private void interrupt() {
        switch (random.nextInt(12)) {
            case 0 -> throw new StoreUnavailableException("Planned", null);
            case 1 -> {
                if (depth < 2) {
                    tick(GRACE.dividedBy(1 + random.nextInt(4)));
                    sweepInterrupted();
                }
            }
            case 2 -> tick(Duration.ofMinutes(random.nextInt(10)));
            default -> request();
        }
    }

    private void request() {
        ReferenceCatalog process = any(processes);
        SortedMap<String, CommitId> heads = heads();
        String branch = any(List.copyOf(heads.keySet()));
        CommitId named = any(contents.keySet().stream().sorted().toList());
        switch (random.nextInt(10)) {
            case 0, 1 -> create(process, heads, named);
            case 2 -> assign(process, branch, named);
            case 3 -> delete(process, branch);
            case 4, 5 -> merge(process, branch, named);
            case 6 -> transplant(process, branch, named);
            case 7 -> read(process, named);
            default -> commit(process, branch);
        }
    }

    private void create(ReferenceCatalog process, SortedMap<String, CommitId> heads, CommitId named) {
        NAMES.stream()
                .filter(name -> !heads.containsKey(name) && random.nextBoolean())
                .findAny()
                .ifPresent(name -> ask("create", named, () -> {
                    process.create(name, ReferenceKind.BRANCH, named);
                    assertThat(process.commits().head(name)).isEqualTo(named);
                    return true;
                }));
    }

    private void assign(ReferenceCatalog process, String branch, CommitId named) {
        CommitId head = process.commits().head(branch);
        ask("assign", named, () -> {
            process.assign().assign(at(branch, head), null, at(MAIN, named), UNRESTRICTED, null);
            return true;
        });
    }

    private void delete(ReferenceCatalog process, String branch) {
        if (!branch.equals(MAIN)) {
            process.delete().delete(at(branch, process.commits().head(branch)), null, UNRESTRICTED, null);
            done.merge("delete", 1, Integer::sum);
        }
    }

    private void merge(ReferenceCatalog process, String target, CommitId named) {
        TestCatalog commits = process.commits();
        CommitId head = commits.head(target);
        ask("merge", named, () -> {
            MergeOutcome outcome = commits.merge(new MergeRequest(
                    at(target, head), at(MAIN, named), GivenMeta.ofMessage(""), MergeMode.FORCE, List.of(), false));
            if (outcome instanceof Merged merged) {
                learn(commits, merged.head());
            }
            return outcome instanceof Merged;
        });
    }

    private void transplant(ReferenceCatalog process, String target, CommitId named) {
        ask("transplant", named, () -> {
            MergeOutcome outcome = process.commits().transplant(target, MergeMode.FORCE, false, List.of(), named);
            if (outcome instanceof Merged merged) {
                learn(process.commits(), merged.head());
            }
            return outcome instanceof Merged;
        });
    }

    private void read(ReferenceCatalog process, CommitId named) {
        ask("read", named, () -> {
            Optional<Commit> commit = process.commits().objects().findCommit(named);
            if (commit.isEmpty()) {
                throw RefusedException.referenceNotFound("not found");
            }
            assertThat(process.commits().contents(named)).isEqualTo(contents.get(named));
            return true;
        });
    }

    private void commit(ReferenceCatalog process, String branch) {
        TestCatalog commits = process.commits();
        CommitId head = commits.head(branch);
        String key = "k" + random.nextInt(8);
        Content there = commits.contents(head).get(TestCatalog.key(key));
        Content next = table("state " + random.nextInt(1_000_000));
        Operation operation = put(key, there == null ? next : next.withId(there.id()));
        CommitRequest request = new CommitRequest(at(branch, head), GivenMeta.ofMessage("commit"), List.of(operation));
        CommitOutcome outcome = random.nextInt(3) == 0
                ? commits.commit(request, idempotency("request " + contents.size() + " " + random.nextLong()))
                : commits.commit(request, "");
        learn(commits, ((Committed) outcome).head());
        done.merge("commit", 1, Integer::sum);
    }

    private static Idempotency idempotency(String key) {
        return new Idempotency(key, key.getBytes(StandardCharsets.UTF_8));
    }

    /** Asks for something that names a commit. Nothing else happens meanwhile. */
    private void ask(String what, CommitId named, Supplier<Boolean> request) {
        boolean isReached = reached(heads().values()).contains(named);
        try {
            boolean isDone = request.get();
            done.merge(isDone ? what : what + " for nothing", 1, Integer::sum);
            if (isDone && !isReached) {
                done.merge(what + " of what was not reached", 1, Integer::sum);
            }
        } catch (RefusedException refused) {
            assertThat(refused.code()).isEqualTo(ErrorCode.REFERENCE_NOT_FOUND);
            assertThat(isReached)
                    .as("%s of %s, refused: %s", what, named, refused.getMessage())
                    .isFalse();
            done.merge(what + " refused", 1, Integer::sum);
        } catch (MissingRowException deleted) {
            // Told as an unknown hash at the door.
            assertThat(isReached).as("%s of %s", what, named).isFalse();
            done.merge(what + " refused", 1, Integer::sum);
        }
    }

    /** Remembers an acknowledged commit, and those between it and what is known. */
    private void learn(TestCatalog commits, CommitId head) {
        Deque<CommitId> left = new ArrayDeque<>(List.of(head));
        while (!left.isEmpty()) {
            CommitId id = left.pop();
            if (!contents.containsKey(id) && !id.equals(CommitId.NO_ANCESTOR)) {
                contents.put(id, commits.contents(id));
                parents.put(id, commits.commit(id).header().parents());
                left.addAll(parents.get(id));
            }
        }
    }

    private SortedMap<String, CommitId> heads() {
        return store.references(ReferenceKind.BRANCH, "", 100).stream()
                .collect(Collectors.toMap(
                        ReferenceRow::name, row -> row.head().id(), (one, other) -> one, TreeMap::new));
    }

    private Set<CommitId> reached(Iterable<CommitId> from) {
        Set<CommitId> reached = new HashSet<>();
        Deque<CommitId> left = new ArrayDeque<>();
        from.forEach(left::push);
        while (!left.isEmpty()) {
            CommitId id = left.pop();
            if (reached.add(id)) {
                left.addAll(parents.getOrDefault(id, List.of()));
            }
        }
        return reached;
    }

    private Set<Long> stored() {
        return store.links(0, Integer.MAX_VALUE).stream()
                .map(CommitLinks::number)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** By the store's own links, one after the other. */
    private Set<Long> reachedRows() {
        Map<Long, List<Long>> links = store.links(0, Integer.MAX_VALUE).stream()
                .collect(Collectors.toMap(CommitLinks::number, CommitLinks::parents));
        List<Long> left = new ArrayList<>();
        store.references(ReferenceKind.BRANCH, "", 100).forEach(row -> {
            left.add(row.head().number());
            row.published().forEach(earlier -> left.add(earlier.head().number()));
        });
        Stream<Receipt> kept = store.receiptsAfter("", Integer.MAX_VALUE).stream();
        kept.forEach(receipt -> left.add(receipt.head().number()));
        Set<Long> reached = new TreeSet<>();
        while (!left.isEmpty()) {
            long number = left.removeLast();
            if (number != 0 && reached.add(number)) {
                left.addAll(links.get(number));
            }
        }
        return reached;
    }

    private <T> T any(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
