package org.anabranch.cli.stories;

import static org.anabranch.cli.stories.CatalogClient.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.anabranch.cli.service.ServiceProcess;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.projectnessie.client.http.HttpClientException;
import org.projectnessie.error.NessieConflictException;
import org.projectnessie.error.NessieNotFoundException;
import org.projectnessie.model.Branch;
import org.projectnessie.model.CommitResponse;
import org.projectnessie.model.ContentKey;
import org.projectnessie.model.EntriesResponse;
import org.projectnessie.model.FetchOption;
import org.projectnessie.model.IcebergTable;
import org.projectnessie.model.LogResponse.LogEntry;
import org.projectnessie.model.Operation;
import org.projectnessie.model.Operation.Put;
import org.projectnessie.model.Reference;
import org.projectnessie.model.Tag;

/**
 * The service is killed under concurrent commits at random moments, started again and searched: every acknowledged
 * commit and reference is there, each writer's commits in order and without gaps, everything can be read, and a check finds
 * nothing.
 *
 * <p>Set the number of rounds with {@code -Danabranch.crash.rounds=N}.
 */
class CrashIT {

    private static final int ROUNDS = Integer.getInteger("anabranch.crash.rounds", 3);
    private static final int BRANCHES = 3;
    private static final int WRITERS_PER_BRANCH = 4;
    private static final int MAX_COMMITS_BEFORE_KILL = 200;

    @TempDir
    private Path folder;

    /**
     * One thread's commits to one branch. Commit {@code n} has the message {@code "name n"}; it creates the key
     * {@code name-n} and sets the key {@code name} to version {@code n}.
     */
    private static final class Writer {
        private final String name;
        private final Branch start;
        private final List<String> acknowledged = new ArrayList<>();

        private Writer(String name, Branch start) {
            this.name = name;
            this.start = start;
        }

        /** Commits until the service is gone; what has no answer then may be there or not. */
        private void commitUntilKilled(CatalogClient client, Semaphore commits)
                throws NessieNotFoundException, NessieConflictException {
            Branch branch = start;
            String id = null;
            for (int n = 1; ; n++) {
                CommitResponse response;
                try {
                    response = client.commitForResponse(branch, name + " " + n, operations(n, id));
                } catch (HttpClientException serviceIsGone) {
                    return;
                }
                branch = response.getTargetBranch();
                id = n == 1 ? response.toAddedContentsMap().get(ContentKey.of(name)) : id;
                acknowledged.add(branch.getHash());
                commits.release();
            }
        }

        private Operation[] operations(int n, String id) {
            IcebergTable version = id == null ? table(n) : table(n).withId(id);
            return new Operation[] {
                Put.of(ContentKey.of(name), version), Put.of(ContentKey.of(name + "-" + n), table(n))
            };
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = 20261130)
    void nothingAcknowledgedIsLost(long seed) throws Exception {
        RunningService.assumeNoneIsGiven();
        Random random = new Random(seed);
        List<Writer> writers = new ArrayList<>();
        Map<String, String> tags = new ConcurrentHashMap<>();
        try (ServiceProcess service = ServiceProcess.start(folder);
                CatalogClient client = new CatalogClient(service.api())) {
            List<Branch> branches = new ArrayList<>();
            for (int i = 0; i < BRANCHES; i++) {
                branches.add(client.emptyBranch("crash"));
            }
            for (int round = 1; round <= ROUNDS; round++) {
                int before = acknowledged(writers);
                writers.addAll(commitAndKill(service, client, round, branches, tags, random));
                service.restart();

                assertTags(client, tags);
                for (Branch branch : branches) {
                    assertComplete(
                            client,
                            branch,
                            writers.stream()
                                    .filter(writer -> writer.start.getName().equals(branch.getName()))
                                    .toList());
                }
                assertThat(service.check()).contains("Nothing is wrong.");
                System.out.printf(
                        "round %d: killed after %d acknowledged commits; all %d of all rounds and %d tags are there%n",
                        round, acknowledged(writers) - before, acknowledged(writers), tags.size());
            }
        }
    }

    /** Lets writers and a tagger work until a random number of commits is acknowledged, and a little longer. */
    private static List<Writer> commitAndKill(
            ServiceProcess service,
            CatalogClient client,
            int round,
            List<Branch> branches,
            Map<String, String> tags,
            Random random)
            throws Exception {
        List<Writer> writers = new ArrayList<>();
        for (Branch branch : branches) {
            for (int i = 0; i < WRITERS_PER_BRANCH; i++) {
                writers.add(new Writer("r" + round + "w" + writers.size(), client.head(branch)));
            }
        }
        Semaphore commits = new Semaphore(0);
        int enough = 1 + random.nextInt(MAX_COMMITS_BEFORE_KILL);
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> running = new ArrayList<>();
            for (Writer writer : writers) {
                running.add(threads.submit(() -> {
                    writer.commitUntilKilled(client, commits);
                    return writer;
                }));
            }
            running.add(threads.submit(() -> {
                tagUntilKilled(client, branches, tags);
                return tags;
            }));
            boolean reached = commits.tryAcquire(enough, 60, TimeUnit.SECONDS);
            LockSupport.parkNanos(random.nextInt(5_000_000));
            service.kill();
            for (Future<?> each : running) {
                each.get();
            }
            assertThat(reached).as("%d commits in a minute", enough).isTrue();
        }
        return writers;
    }

    private static void tagUntilKilled(CatalogClient client, List<Branch> branches, Map<String, String> tags)
            throws NessieNotFoundException, NessieConflictException {
        while (true) {
            for (Branch branch : branches) {
                Reference tag;
                try {
                    String hash = client.head(branch).getHash();
                    tag = client.api()
                            .createReference()
                            .sourceRefName(branch.getName())
                            .reference(Tag.of(CatalogClient.newName("tag"), hash))
                            .create();
                } catch (HttpClientException serviceIsGone) {
                    return;
                }
                tags.put(tag.getName(), tag.getHash());
            }
        }
    }

    private static void assertTags(CatalogClient client, Map<String, String> acknowledged) {
        Map<String, String> there = client.api().getAllReferences().get().getReferences().stream()
                .collect(Collectors.toMap(Reference::getName, Reference::getHash));
        assertThat(there).containsAllEntriesOf(acknowledged);
    }

    /** Reads all of a branch: its log with every operation, and every entry with its content. */
    private static void assertComplete(CatalogClient client, Branch branch, List<Writer> writers) throws Exception {
        List<LogEntry> oldestFirst =
                client.api().getCommitLog().refName(branch.getName()).fetch(FetchOption.ALL).stream()
                        .toList()
                        .reversed();
        String parent = branch.getHash();
        Map<String, List<String>> hashesByWriter = new TreeMap<>();
        for (LogEntry entry : oldestFirst) {
            assertThat(entry.getParentCommitHash()).isEqualTo(parent);
            parent = entry.getCommitMeta().getHash();
            String[] message = entry.getCommitMeta().getMessage().split(" ");
            List<String> hashes = hashesByWriter.computeIfAbsent(message[0], name -> new ArrayList<>());
            hashes.add(parent);
            assertThat(message[1])
                    .as("the next commit of writer %s", message[0])
                    .isEqualTo(Integer.toString(hashes.size()));
            assertThat(entry.getOperations())
                    .hasSize(2)
                    .allSatisfy(operation -> assertThat(((Put) operation).getContent())
                            .isInstanceOfSatisfying(
                                    IcebergTable.class,
                                    table -> assertThat(table.getSnapshotId()).isEqualTo(hashes.size())));
        }
        assertThat(client.head(branch).getHash()).isEqualTo(parent);

        Map<String, Long> expected = new TreeMap<>();
        for (Writer writer : writers) {
            List<String> hashes = hashesByWriter.getOrDefault(writer.name, List.of());
            assertThat(hashes.stream().limit(writer.acknowledged.size()).toList())
                    .as("the first commits of writer %s", writer.name)
                    .isEqualTo(writer.acknowledged);
            assertThat(hashes.size() - writer.acknowledged.size())
                    .as("commits of writer %s that were never answered", writer.name)
                    .isLessThanOrEqualTo(1);
            if (!hashes.isEmpty()) {
                expected.put(writer.name, (long) hashes.size());
            }
            IntStream.rangeClosed(1, hashes.size()).forEach(n -> expected.put(writer.name + "-" + n, (long) n));
        }
        Map<String, Long> versions = client.api().getEntries().refName(branch.getName()).withContent(true).stream()
                .collect(Collectors.toMap(
                        entry -> entry.getName().toString(), CrashIT::version, (a, b) -> a, TreeMap::new));
        assertThat(versions).isEqualTo(expected);
    }

    private static long version(EntriesResponse.Entry entry) {
        return ((IcebergTable) entry.getContent()).getSnapshotId();
    }

    private static int acknowledged(List<Writer> writers) {
        return writers.stream().mapToInt(writer -> writer.acknowledged.size()).sum();
    }
}
