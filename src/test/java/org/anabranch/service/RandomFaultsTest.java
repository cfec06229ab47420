package org.anabranch.service;

import static org.anabranch.testing.Callers.UNRESTRICTED;
import static org.anabranch.testing.ReferenceCatalog.ref;
import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.at;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.anabranch.dag.CommitGraph;
import org.anabranch.history.Answer;
import org.anabranch.history.Answer.Done;
import org.anabranch.history.Answer.NotTried;
import org.anabranch.history.Answer.Reason;
import org.anabranch.history.Answer.Refused;
import org.anabranch.history.Answer.Unknown;
import org.anabranch.history.Call;
import org.anabranch.history.HistoryChecker;
import org.anabranch.history.HistoryRecorder;
import org.anabranch.history.Recorded;
import org.anabranch.history.Request;
import org.anabranch.history.Violation;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitOutcome;
import org.anabranch.model.CommitRequest;
import org.anabranch.model.Detail;
import org.anabranch.model.GivenMeta;
import org.anabranch.model.HeadKeptMoving;
import org.anabranch.model.Idempotency;
import org.anabranch.model.OutcomeUndecided;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.RefusedException;
import org.anabranch.object.Commit;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.FaultyStore;
import org.anabranch.testing.FaultyStore.Fault;
import org.anabranch.testing.ReferenceCatalog;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.commit.WriteLimits;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two processes on one store of which every fifth write goes wrong in some way, under concurrent clients that commit, create,
 * assign, delete and read. The checker of histories judges every answer.
 */
@Timeout(60)
class RandomFaultsTest {

    private static final int CLIENTS = 8;
    private static final int REQUESTS = 60;
    private static final List<String> TAGS = List.of("t1", "t2");

    private final MemoryStore memory = new MemoryStore();
    private final TestCatalog sound = new TestCatalog(memory, memory, WriteLimits.DEFAULT, 9_000_000);
    private final HistoryRecorder history = new HistoryRecorder();
    private final Map<String, CommitId> lastKnown = new ConcurrentHashMap<>();

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void everyAnswerHolds(long seed) throws Exception {
        sound.commit(MAIN, sound.head(MAIN), "base", put("base", table("base")));
        CommitId base = sound.head(MAIN);
        lastKnown.put(MAIN, base);
        List<ReferenceCatalog> processes = new ArrayList<>();
        List<FaultyStore> stores = new ArrayList<>();
        for (int n = 0; n < 2; n++) {
            Random faults = new Random(seed * 10 + n);
            FaultyStore store = new FaultyStore(memory)
                    .failingReadsAfterFaults(n)
                    .otherwise(write -> faults.nextInt(5) > 0 ? null : Fault.values()[faults.nextInt(4)]);
            stores.add(store);
            processes.add(ReferenceCatalog.process(store, memory, n * 1_000_000L));
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<?>> clients = new ArrayList<>();
            for (int n = 0; n < CLIENTS; n++) {
                Random random = new Random(seed * 100 + n);
                String name = "c" + n;
                clients.add(threads.submit(() -> work(processes, random, name)));
            }
            for (Future<?> client : clients) {
                client.get();
            }
        }
        stores.forEach(FaultyStore::heal);
        history.calls().stream()
                .map(call -> call.request().reference())
                .distinct()
                .forEach(name -> read(processes.getFirst(), name));

        List<Violation> violations = HistoryChecker.check(Map.of(MAIN, base.toString()), history.calls(), commits());
        assertThat(violations).as(HistoryChecker.describe(violations)).isEmpty();
        assertThat(history.calls())
                .extracting(call -> (Object) call.answer().getClass())
                .contains(Unknown.class);
    }

    private void work(List<ReferenceCatalog> processes, Random random, String name) {
        for (int n = 0; n < REQUESTS; n++) {
            ReferenceCatalog process = processes.get(random.nextInt(2));
            String token = name + "-" + n;
            String tag = TAGS.get(random.nextInt(TAGS.size()));
            CommitId at = lastKnown.get(tag);
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> commit(List.of(process), token, null);
                case 3 -> commit(processes, token, new Idempotency(token, token.getBytes(StandardCharsets.UTF_8)));
                case 4 -> read(process, MAIN);
                case 5 -> create(process, tag);
                case 6 -> {
                    if (at != null) {
                        assign(process, tag, at);
                    }
                }
                default -> {
                    if (at != null) {
                        delete(process, tag, at);
                    }
                }
            }
        }
    }

    /** With a key it is sent again, to one process after the other, until the answer says how it ended. */
    private void commit(List<ReferenceCatalog> processes, String token, @Nullable Idempotency key) {
        CommitId expected = lastKnown.get(MAIN);
        CommitRequest request =
                new CommitRequest(at(MAIN, expected), GivenMeta.ofMessage(token), List.of(put(token, table(token))));
        Request.Append append = new Request.Append(MAIN, token, expected.toString(), Set.of(token));
        learn(MAIN, history.call(append, () -> {
            for (int n = 0; ; n++) {
                TestCatalog catalog = processes.get(n % processes.size()).commits();
                Answer answer = answer(
                        Reason.CONFLICT,
                        () -> told(key == null ? catalog.commit(request, "") : catalog.commit(request, key)));
                if (key == null || !(answer instanceof Unknown || answer instanceof NotTried)) {
                    return answer;
                }
            }
        }));
    }

    private static Answer told(CommitOutcome outcome) {
        return switch (outcome) {
            case CommitOutcome.Committed committed -> new Done(committed.head().toString());
            case CommitOutcome.Conflicted conflicted -> new Refused(Reason.CONFLICT);
            case HeadKeptMoving gaveUp -> new Refused(Reason.KEPT_MOVING);
            case OutcomeUndecided undecided -> new Unknown();
        };
    }

    private void create(ReferenceCatalog process, String tag) {
        CommitId target = lastKnown.get(MAIN);
        learn(
                tag,
                history.call(
                        new Request.Create(tag, target.toString()),
                        () -> answer(
                                Reason.CONFLICT,
                                () -> new Done(process.create(tag, ReferenceKind.TAG, target)
                                        .hash()
                                        .toString()))));
    }

    private void assign(ReferenceCatalog process, String tag, CommitId at) {
        CommitId target = lastKnown.get(MAIN);
        learn(
                tag,
                history.call(
                        new Request.Assign(tag, at.toString(), target.toString()),
                        () -> answer(
                                Reason.ELSEWHERE,
                                () -> new Done(process.assign()
                                        .assign(ref(tag + "@" + at), null, ref("@" + target), UNRESTRICTED, null)
                                        .hash()
                                        .toString()))));
    }

    private void delete(ReferenceCatalog process, String tag, CommitId at) {
        history.call(
                new Request.Delete(tag, at.toString()),
                () -> answer(
                        Reason.ELSEWHERE,
                        () -> new Done(process.delete()
                                .delete(ref(tag + "@" + at), null, UNRESTRICTED, null)
                                .hash()
                                .toString())));
    }

    private void read(ReferenceCatalog process, String name) {
        learn(
                name,
                history.call(
                        new Request.Read(name),
                        () -> answer(
                                Reason.ELSEWHERE,
                                () -> new Done(process.get()
                                        .get(ref(name), Detail.MINIMAL, UNRESTRICTED)
                                        .reference()
                                        .hash()
                                        .toString()))));
    }

    private void learn(String name, Answer answer) {
        if (answer instanceof Done(var head)) {
            lastKnown.put(name, CommitId.parse(head));
        }
    }

    private static Answer answer(Reason conflict, Supplier<Answer> sending) {
        try {
            return sending.get();
        } catch (StoreUnavailableException e) {
            return new NotTried();
        } catch (OutcomeUnknownException e) {
            return new Unknown();
        } catch (RefusedException e) {
            return switch (e.code()) {
                case REFERENCE_NOT_FOUND -> new Refused(Reason.MISSING);
                case REFERENCE_ALREADY_EXISTS -> new Refused(Reason.EXISTS);
                case REFERENCE_CONFLICT -> new Refused(conflict);
                case SERVICE_UNAVAILABLE, TOO_MANY_REQUESTS -> new NotTried();
                default -> throw e;
            };
        }
    }

    /** All that any answer names, with everything before it. */
    private List<Recorded> commits() {
        Set<Recorded> commits = new HashSet<>();
        for (Call call : history.calls()) {
            if (call.answer() instanceof Done(var head)) {
                Commit commit = sound.commit(CommitId.parse(head));
                new CommitGraph(sound.objects()).line(commit).forEachRemaining(each -> commits.add(recorded(each)));
            }
        }
        return List.copyOf(commits);
    }

    /** Each commit puts the key that is called as its message is. */
    private static Recorded recorded(Commit commit) {
        String message = commit.requireMeta().message();
        return new Recorded(
                commit.id().toString(), commit.parents().getFirst().id().toString(), message, Set.of(message));
    }
}
