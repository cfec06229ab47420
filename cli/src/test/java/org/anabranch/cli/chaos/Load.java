package org.anabranch.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.anabranch.cli.chaos.RecordingClient.Put;
import org.anabranch.history.Answer;
import org.anabranch.history.Answer.Done;
import org.anabranch.history.Call;
import org.anabranch.history.HistoryChecker;
import org.anabranch.history.Recorded;
import org.anabranch.history.Violation;

/**
 * Concurrent clients on several branches and tags of one repository, from {@link #start} to {@link #stopAndCheck}.
 *
 * <p>Each client commits keys of its own, and a key that all share; merges {@code side} into {@code main}; creates, assigns and
 * deletes tags and one branch that everybody moves; and reads where references are. Some of its commits carry an idempotency key
 * and are sent again until it knows how they ended, the others are sent once.
 */
final class Load implements AutoCloseable {

    private static final List<String> APPENDED = List.of("main", "side");
    private static final String MOVED = "moved";
    private static final List<String> TAGS = List.of("tag-1", "tag-2");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<URI> apis;
    private final RecordingClient client = new RecordingClient();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<?>> running = new ArrayList<>();
    private final Map<String, String> lastKnown = new ConcurrentHashMap<>();
    private final Map<String, String> shared = new ConcurrentHashMap<>();
    private final AtomicInteger tokens = new AtomicInteger();
    private final AtomicInteger acknowledged = new AtomicInteger();
    private volatile boolean stopping;

    /** @param apis of the services; the first must answer now */
    Load(List<URI> apis) {
        this.apis = List.copyOf(apis);
    }

    /** Prepares the branches of an empty repository and lets the clients begin. */
    Load start(long seed, int clients) {
        URI api = apis.getFirst();
        // A merge needs a commit that both sides have.
        String base = require(client.commit(api, "main", HistoryChecker.NOTHING, newToken(), new Put("base", null)));
        lastKnown.put("main", base);
        for (String branch : List.of("side", MOVED)) {
            lastKnown.put(branch, require(client.create(api, "BRANCH", branch, "main", base)));
        }
        for (String branch : APPENDED) {
            String key = "shared-" + branch;
            lastKnown.put(branch, require(client.commit(api, branch, base, newToken(), new Put(key, null))));
            shared.put(
                    branch,
                    client.get(api, "/trees/" + branch + "/contents/" + key)
                            .at("/content/id")
                            .textValue());
        }
        for (int n = 0; n < clients; n++) {
            Random random = new Random(seed * 1_000 + n);
            running.add(threads.submit(() -> work(random)));
        }
        return this;
    }

    private static String require(Answer answer) {
        assertThat(answer).isInstanceOf(Done.class);
        return ((Done) answer).head();
    }

    /** How many changes were acknowledged so far. */
    int acknowledged() {
        return acknowledged.get();
    }

    private void work(Random random) {
        while (!stopping) {
            if (oneRequest(random) instanceof Done) {
                acknowledged.incrementAndGet();
            }
        }
    }

    private Answer oneRequest(Random random) {
        URI api = apis.get(random.nextInt(apis.size()));
        String branch = APPENDED.get(random.nextInt(APPENDED.size()));
        String expected = lastKnown.get(branch);
        String token = newToken();
        return switch (random.nextInt(20)) {
            case 0, 1, 2, 3, 4, 5, 6, 7 ->
                learn(branch, client.commit(api, branch, expected, token, new Put(token, null)));
            case 8, 9, 10 ->
                learn(
                        branch,
                        client.commitUntilAnswered(
                                rotated(api), branch, expected, token, new Put(token, null), PATIENCE));
            case 11 ->
                learn(
                        branch,
                        client.commit(api, branch, expected, token, new Put("shared-" + branch, shared.get(branch))));
            case 12 ->
                learn("main", client.merge(api, "side", lastKnown.get("side"), "main", lastKnown.get("main"), token));
            case 13 -> learn(MOVED, client.commit(api, MOVED, lastKnown.get(MOVED), token, new Put(token, null)));
            case 14 -> learn(MOVED, client.assign(api, MOVED, lastKnown.get(MOVED), branch, expected));
            case 15 -> changeTag(random, api, branch, expected);
            default -> {
                String read = List.of("main", "side", MOVED).get(random.nextInt(3));
                yield learn(read, client.read(api, read));
            }
        };
    }

    private Answer changeTag(Random random, URI api, String branch, String target) {
        String tag = TAGS.get(random.nextInt(TAGS.size()));
        String at = lastKnown.get(tag);
        return switch (at == null ? 0 : random.nextInt(4)) {
            case 0 -> learn(tag, client.create(api, "TAG", tag, branch, target));
            case 1 -> learn(tag, client.assign(api, tag, at, branch, target));
            case 2 -> learn(tag, client.delete(api, tag, at));
            default -> learn(tag, client.read(api, tag));
        };
    }

    private Answer learn(String reference, Answer answer) {
        if (answer instanceof Done(var head)) {
            lastKnown.put(reference, head);
        }
        return answer;
    }

    private List<URI> rotated(URI first) {
        List<URI> rotated = new ArrayList<>(apis);
        rotated.remove(first);
        rotated.addFirst(first);
        return rotated;
    }

    private String newToken() {
        return "c" + tokens.incrementAndGet();
    }

    /** Lets the clients end, reads the repository through a service, and demands that everything is explained. */
    void stopAndCheck(URI api) throws InterruptedException, ExecutionException {
        stopping = true;
        for (Future<?> each : running) {
            each.get();
        }
        client.history().calls().stream()
                .map(call -> call.request().reference())
                .distinct()
                .forEach(name -> client.read(api, name));
        List<Call> calls = client.history().calls();
        Collection<Recorded> commits = RepositoryReader.commits(client, api, calls);
        List<Violation> violations = HistoryChecker.check(Map.of("main", HistoryChecker.NOTHING), calls, commits);
        System.out.printf("%d calls (%s) and %d commits are explained%n", calls.size(), summary(calls), commits.size());
        assertThat(violations).as(HistoryChecker.describe(violations)).isEmpty();
        assertThat(client.unexpected()).isEmpty();
    }

    private static String summary(List<Call> calls) {
        Map<String, Integer> counts = new TreeMap<>();
        calls.forEach(call -> counts.merge(
                call.answer() instanceof Answer.Refused(var reason)
                        ? "refused " + reason
                        : call.answer().getClass().getSimpleName(),
                1,
                Integer::sum));
        return counts.toString();
    }

    @Override
    public void close() {
        stopping = true;
        threads.close();
        client.close();
    }
}
