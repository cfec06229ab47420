package org.anabranch.cli.stories;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.anabranch.cli.service.ReferenceServer;
import org.anabranch.cli.service.ServiceProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.projectnessie.client.api.NessieApiV2;
import org.projectnessie.error.NessieConflictException;
import org.projectnessie.model.Branch;
import org.projectnessie.model.CommitMeta;
import org.projectnessie.model.Content;
import org.projectnessie.model.ContentKey;
import org.projectnessie.model.EntriesResponse.Entry;
import org.projectnessie.model.FetchOption;
import org.projectnessie.model.IcebergTable;
import org.projectnessie.model.IcebergView;
import org.projectnessie.model.ImmutableDeltaLakeTable;
import org.projectnessie.model.LogResponse.LogEntry;
import org.projectnessie.model.MergeBehavior;
import org.projectnessie.model.Namespace;
import org.projectnessie.model.Operation.Delete;
import org.projectnessie.model.Operation.Put;
import org.projectnessie.model.Reference;
import org.projectnessie.model.Tag;
import org.projectnessie.model.UDF;

/**
 * A team leaves its Nessie server, of release 0.99.0, and takes everything along: branches, tags, merges, renames. The published
 * client then sees the same on both sides, apart from hashes.
 *
 * <p>Needs the server's runner where {@code .ci/reference-server} puts it.
 */
@Timeout(300)
class MovedFromNessieIT {

    private static final long SEED = 7;
    private static final int STEPS = 120;
    private static final ContentKey SHOP = ContentKey.of("shop");

    @TempDir
    private Path folder;

    private final Random random = new Random(SEED);
    private int versions;

    @Test
    void everyReferenceAndCommitIsTheSame() throws Exception {
        RunningService.assumeNoneIsGiven();
        Path data = folder.resolve("data");
        Path hashMap = folder.resolve("hashes.txt");
        try (ReferenceServer nessie = ReferenceServer.start(folder);
                CatalogClient there = new CatalogClient(nessie.api())) {
            makeHistory(there.api());

            String said = program(
                    "import",
                    "--from-nessie",
                    nessie.api().toString(),
                    "--hash-map",
                    hashMap.toString(),
                    "--store",
                    "embedded",
                    "--data",
                    data.toString());

            assertThat(said).contains("All references are what they are there");
            assertThat(program("check", "--store", "embedded", "--data", data.toString()))
                    .contains("Nothing is wrong.");
            try (ServiceProcess service = ServiceProcess.start(folder);
                    CatalogClient here = new CatalogClient(service.api())) {
                assertSame(there.api(), here.api(), hashes(hashMap));
            }
        }
    }

    private static Map<String, String> hashes(Path file) throws Exception {
        Map<String, String> hashes = new HashMap<>();
        for (String line : Files.readAllLines(file)) {
            String[] words = line.split(" ");
            assertThat(hashes.put(words[0], words[1])).isNull();
        }
        return hashes;
    }

    /** Runs a command of the service's program to its end, which must be a good one, and returns what it said. */
    private String program(String... command) throws Exception {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                ServiceProcess.jar().toString()));
        line.addAll(List.of(command));
        Path output = folder.resolve("output of " + command[0]);
        Process process = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES))
                    .as(() -> "waiting for the end of " + command[0])
                    .isTrue();
            assertThat(process.exitValue()).as(Files.readString(output)).isZero();
            return Files.readString(output);
        } finally {
            process.destroyForcibly();
        }
    }

    private void makeHistory(NessieApiV2 api) throws Exception {
        Branch main = api.getDefaultBranch();
        api.commitMultipleOperations()
                .branch(main)
                .commitMeta(meta("the beginning"))
                .operation(Put.of(SHOP, Namespace.of("shop")))
                .operation(Put.of(ContentKey.of("shop", "t0"), table()))
                .operation(Put.of(
                        ContentKey.of("delta"),
                        ImmutableDeltaLakeTable.builder()
                                .addMetadataLocationHistory("file:///a", "file:///b")
                                .addCheckpointLocationHistory("file:///c")
                                .build()))
                .operation(Put.of(ContentKey.of("function"), UDF.udf("file:///f", "1", "2")))
                .commit();
        for (int i = 0; i < 3; i++) {
            create(api, Branch.of("branch-" + i, head(api, "main").getHash()));
        }
        create(api, Branch.of("empty", api.getConfig().getNoAncestorHash()));
        int refused = 0;
        for (int step = 0; step < STEPS; step++) {
            try {
                step(api, step);
            } catch (NessieConflictException conflict) {
                refused++;
            }
        }
        assertThat(refused).isLessThan(STEPS / 2);
    }

    private void step(NessieApiV2 api, int step) throws Exception {
        Branch branch = head(api, anyBranch());
        Map<ContentKey, Content> now = contents(api, branch);
        List<ContentKey> tables =
                now.keySet().stream().filter(key -> !key.equals(SHOP)).toList();
        ContentKey some = tables.isEmpty() ? null : tables.get(random.nextInt(tables.size()));
        var commit = api.commitMultipleOperations().branch(branch).commitMeta(meta("step " + step));
        switch (random.nextInt(9)) {
            case 0, 1 ->
                commit.operation(Put.of(ContentKey.of("shop", "t" + random.nextInt(30) + "." + step), table()))
                        .operation(Put.of(ContentKey.of("view " + step), IcebergView.of("file:///v" + step, step, 1)))
                        .commit();
            case 2, 3 -> {
                if (some != null && now.get(some) instanceof IcebergTable old) {
                    commit.operation(Put.of(some, IcebergTable.of("file:///u" + step, step, 1, 2, 3, old.getId())))
                            .commit();
                }
            }
            case 4 -> {
                if (some != null) {
                    ContentKey to = ContentKey.of("shop", "renamed \u00e4\u6f22 " + step);
                    commit.operation(Delete.of(some))
                            .operation(Put.of(to, now.get(some)))
                            .commit();
                }
            }
            case 5 -> {
                if (some != null) {
                    commit.operation(Delete.of(some)).commit();
                }
            }
            case 6 -> create(api, Tag.of("tag-" + step, branch.getHash()));
            default -> {
                Branch source = head(api, anyBranch());
                api.mergeRefIntoBranch()
                        .branch(branch)
                        .fromRef(source)
                        .message("merge " + step)
                        .defaultMergeMode(random.nextBoolean() ? MergeBehavior.NORMAL : MergeBehavior.FORCE)
                        .merge();
            }
        }
    }

    private String anyBranch() {
        int branch = random.nextInt(4);
        return branch == 3 ? "main" : "branch-" + branch;
    }

    private IcebergTable table() {
        return IcebergTable.of("file:///warehouse/v" + ++versions + ".metadata.json", versions, 0, 0, 0);
    }

    private CommitMeta meta(String message) {
        return CommitMeta.builder()
                .message(message)
                .addAllAuthors("Ann <ann@example.org>", "Bob")
                .authorTime(Instant.parse("2020-02-02T02:02:02.123456789Z").plusSeconds(random.nextInt(1_000)))
                .addAllSignedOffBy("Sam")
                .putAllProperties("ticket", List.of("A-1", "A-2"))
                .build();
    }

    private static void create(NessieApiV2 api, Reference reference) throws Exception {
        api.createReference().sourceRefName("main").reference(reference).create();
    }

    private static Branch head(NessieApiV2 api, String branch) throws Exception {
        return (Branch) api.getReference().refName(branch).get();
    }

    private static Map<ContentKey, Content> contents(NessieApiV2 api, Reference at) throws Exception {
        Map<ContentKey, Content> contents = new TreeMap<>();
        api.getEntries().reference(at).withContent(true).stream()
                .forEach((Entry entry) -> contents.put(entry.getName(), entry.getContent()));
        return contents;
    }

    private static void assertSame(NessieApiV2 there, NessieApiV2 here, Map<String, String> hashes) throws Exception {
        assertThat(here.getConfig().getDefaultBranch())
                .isEqualTo(there.getConfig().getDefaultBranch());
        hashes.put(there.getConfig().getNoAncestorHash(), here.getConfig().getNoAncestorHash());
        Map<String, Reference> expected = references(there);
        Map<String, Reference> actual = references(here);
        assertThat(actual.keySet()).isEqualTo(expected.keySet()).hasSizeGreaterThan(8);
        Set<String> compared = new HashSet<>();
        int merges = 0;
        for (Reference reference : expected.values()) {
            Reference same = actual.get(reference.getName());
            assertThat(same.getType()).isEqualTo(reference.getType());
            assertThat(same.getHash()).isEqualTo(hashes.get(reference.getHash()));
            assertThat(contents(here, same)).isEqualTo(contents(there, reference));
            merges += compareLogs(there, here, reference, same, hashes, compared);
        }
        assertThat(merges).isGreaterThan(5);
    }

    private static Map<String, Reference> references(NessieApiV2 api) throws Exception {
        Map<String, Reference> references = new TreeMap<>();
        api.getAllReferences().stream().forEach(reference -> references.put(reference.getName(), reference));
        return references;
    }

    /** Commit by commit, operations included; says how many merges were met for the first time. */
    private static int compareLogs(
            NessieApiV2 there,
            NessieApiV2 here,
            Reference reference,
            Reference same,
            Map<String, String> hashes,
            Set<String> compared)
            throws Exception {
        List<LogEntry> expected = log(there, reference);
        List<LogEntry> actual = log(here, same);
        assertThat(actual).hasSameSizeAs(expected);
        int merges = 0;
        for (int i = 0; i < expected.size(); i++) {
            LogEntry entry = expected.get(i);
            LogEntry twin = actual.get(i);
            CommitMeta meta = entry.getCommitMeta();
            assertThat(withoutHashes(twin.getCommitMeta())).isEqualTo(withoutHashes(meta));
            assertThat(twin.getCommitMeta().getHash()).isEqualTo(hashes.get(meta.getHash()));
            assertThat(twin.getCommitMeta().getParentCommitHashes())
                    .isEqualTo(meta.getParentCommitHashes().stream()
                            .map(hashes::get)
                            .toList());
            assertThat(twin.getOperations()).isEqualTo(entry.getOperations());
            if (compared.add(meta.getHash())) {
                merges += meta.getParentCommitHashes().size() > 1 ? 1 : 0;
            }
        }
        return merges;
    }

    private static List<LogEntry> log(NessieApiV2 api, Reference reference) throws Exception {
        return api.getCommitLog().reference(reference).fetch(FetchOption.ALL).stream()
                .toList();
    }

    /** Times of commits are kept to the microsecond here. */
    private static CommitMeta withoutHashes(CommitMeta meta) {
        return CommitMeta.builder()
                .from(meta)
                .hash(null)
                .parentCommitHashes(List.of())
                .commitTime(meta.getCommitTime().truncatedTo(ChronoUnit.MICROS))
                .build();
    }
}
