package org.anabranch.versioning.transfer.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.anabranch.api.client.ApiClient;
import org.anabranch.api.client.ApiFailure;
import org.anabranch.api.client.ApiOptions;
import org.anabranch.api.client.Pace;
import org.anabranch.api.v2.ApiJson;
import org.anabranch.model.CommitId;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.object.Commit;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.Store;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.CountingStore;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.check.CheckReport;
import org.anabranch.versioning.check.RepositoryCheck;
import org.anabranch.versioning.transfer.TransferProgress;
import org.anabranch.versioning.transfer.TransferRefusedException;
import org.anabranch.versioning.transfer.peer.FakePeer.PeerState;
import org.anabranch.versioning.transfer.peer.PeerImport.Comparison;
import org.anabranch.versioning.transfer.peer.PeerImport.NewRepository;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What another server has is here afterwards, whatever it lets in. */
class PeerImportTest {

    private static final Pace NO_PAUSES = new Pace() {
        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void pause(Duration duration) {
            // Time does not pass.
        }
    };

    @TempDir
    Path folder;

    private final Store store = new MemoryStore();
    private final StringWriter hashes = new StringWriter();
    private FakePeer peer;

    @BeforeEach
    void start() throws IOException {
        peer = new FakePeer();
    }

    @AfterEach
    void stop() {
        peer.close();
    }

    private PeerImportReport run(Comparison comparison) throws IOException {
        return run(peer, store, comparison);
    }

    private PeerImportReport run(FakePeer from, Store into, Comparison comparison) throws IOException {
        hashes.getBuffer().setLength(0);
        ApiOptions options = new ApiOptions(from.api(), Map.of(), 0, 1, Duration.ofSeconds(20));
        return new PeerImport(new ApiClient(options, NO_PAUSES, InstantSource.fixed(Instant.EPOCH)), into, folder)
                .run(
                        "the fake peer",
                        new NewRepository(
                                new UUID(1, 2), "a salt for peers".getBytes(StandardCharsets.US_ASCII), 5_000_000),
                        comparison,
                        hashes,
                        TransferProgress.NONE);
    }

    private PeerImportReport run() throws IOException {
        return run(Comparison.ALL_KEYS);
    }

    private static ContentKey key(String name) {
        return TestCatalog.key(name);
    }

    private ObjectNode table(int id, String location) {
        return peer.content("ICEBERG_TABLE", new UUID(9, id).toString(), location);
    }

    private static Map<ContentKey, @Nullable ObjectNode> operations(Object... keysAndContents) {
        Map<ContentKey, @Nullable ObjectNode> operations = new TreeMap<>();
        for (int i = 0; i < keysAndContents.length; i += 2) {
            operations.put(key((String) keysAndContents[i]), (ObjectNode) keysAndContents[i + 1]);
        }
        return operations;
    }

    /** By their hashes there. */
    private Map<String, CommitId> hashMap() {
        Map<String, CommitId> map = new HashMap<>();
        hashes.toString().lines().forEach(line -> {
            String[] words = line.split(" ");
            map.put(words[0], CommitId.parse(words[1]));
        });
        map.put(FakePeer.NO_ANCESTOR, CommitId.NO_ANCESTOR);
        return map;
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void everyCommitOfARandomHistoryIsThere(int seed) throws Exception {
        Random random = new Random(seed);
        List<String> made = new ArrayList<>();
        int id = 0;
        for (int i = 0; i < 60; i++) {
            String parent = made.isEmpty() || random.nextInt(15) == 0
                    ? FakePeer.NO_ANCESTOR
                    : made.get(random.nextInt(Math.max(0, made.size() - 5), made.size()));
            SortedMap<ContentKey, ObjectNode> state = parent.equals(FakePeer.NO_ANCESTOR)
                    ? new TreeMap<>()
                    : peer.commit(parent).state();
            Map<ContentKey, @Nullable ObjectNode> operations = new TreeMap<>();
            for (int j = random.nextInt(4); j > 0; j--) {
                ContentKey key = key("k" + random.nextInt(12));
                ContentKey to = key("k" + random.nextInt(12));
                ObjectNode now = state.get(key);
                if (now == null || random.nextInt(6) == 0) {
                    operations.put(key, table(++id, "new " + i));
                } else if (random.nextInt(3) == 0 && !operations.containsKey(key)) {
                    operations.put(key, null);
                    if (!state.containsKey(to) && !operations.containsKey(to)) {
                        operations.put(to, now);
                    }
                } else if (!operations.containsKey(key)) {
                    operations.put(key, now.deepCopy().put("metadataLocation", "state " + i));
                }
            }
            String time = Instant.ofEpochSecond(1_600_000_000 + i / 3).toString();
            made.add(
                    random.nextInt(4) == 0 && !made.isEmpty()
                            ? peer.commit("merge " + i, time, operations, parent, made.get(random.nextInt(made.size())))
                            : peer.commit("commit " + i, time, operations, parent));
        }
        peer.reference("BRANCH side", made.get(random.nextInt(made.size())));
        peer.reference("BRANCH main", made.getLast());
        peer.reference("TAG v1", made.get(random.nextInt(made.size())));
        peer.reference("BRANCH empty", FakePeer.NO_ANCESTOR);
        peer.reference("TAG v2", made.getLast());

        PeerImportReport report = run();

        assertThat(report.references()).isEqualTo(5);
        assertThat(report.raisedTimes()).isPositive();
        assertThat(report.missingParents()).isEmpty();
        assertThat(report.comparedKeys()).isPositive();
        assertThat(RepositoryCheck.full(store)).matches(CheckReport::isClean);
        assertThat(store.repository().orElseThrow()).satisfies(row -> {
            assertThat(row.isBeingImported()).isFalse();
            assertThat(row.defaultBranch()).isEqualTo("main");
            assertThat(row.configs()).containsOnlyKeys("GARBAGE_COLLECTOR");
        });
        assertSame(report);
    }

    /** Every reference is where it was, and every commit that it leads to is what it was. */
    private void assertSame(PeerImportReport report) throws Exception {
        Map<String, CommitId> map = hashMap();
        assertThat(map).hasSize((int) report.commits() + 1);
        try (TestCatalog catalog = new TestCatalog(store)) {
            for (Map.Entry<String, String> reference : peer.references().entrySet()) {
                String[] kindAndName = reference.getKey().split(" ");
                ReferenceRow row = store.reference(kindAndName[1]).orElseThrow();
                assertThat(row.kind().name()).isEqualTo(kindAndName[0]);
                assertThat(row.head().id()).isEqualTo(map.get(reference.getValue()));
            }
            for (Map.Entry<String, CommitId> both : map.entrySet()) {
                if (!both.getKey().equals(FakePeer.NO_ANCESTOR)) {
                    assertSame(peer.commit(both.getKey()), catalog.commit(both.getValue()), map);
                }
            }
            catalog.branchAt("look", map.get(peer.references().get("BRANCH main")));
            assertThat(catalog.contents("look"))
                    .isEqualTo(contents(peer.commit(peer.references().get("BRANCH main"))));
        }
    }

    private static Map<ContentKey, Content> contents(PeerState commit) throws Exception {
        Map<ContentKey, Content> contents = new TreeMap<>();
        for (Map.Entry<ContentKey, ObjectNode> entry : commit.state().entrySet()) {
            contents.put(entry.getKey(), ApiJson.newMapper().treeToValue(entry.getValue(), Content.class));
        }
        return contents;
    }

    private static void assertSame(PeerState there, Commit here, Map<String, CommitId> map) {
        assertThat(here.header().parents())
                .isEqualTo(there.parents().stream().map(map::get).toList());
        assertThat(here.requireMeta()).satisfies(meta -> {
            assertThat(meta.message())
                    .isEqualTo(there.entry().at("/commitMeta/message").asText());
            assertThat(meta.committer()).isEqualTo("cara");
            assertThat(meta.authors()).containsExactly("ann", "bob");
            assertThat(meta.authorTime()).isEqualTo("2020-02-02T02:02:02.123456789Z");
            assertThat(meta.signedOffBy()).containsExactly("sam");
            assertThat(meta.properties()).isEqualTo(Map.of("ticket", List.of("1", "2")));
        });
        assertThat(Duration.between(
                        Instant.parse(there.entry().at("/commitMeta/commitTime").asText()),
                        here.header().commitTime()))
                .isBetween(Duration.ZERO, Duration.ofMillis(1));
    }

    @Test
    void timesThatDoNotRiseAreRaisedByAMicrosecondAndCounted() throws Exception {
        String one = peer.commit("one", "2024-01-01T00:00:00.000005Z", operations(), FakePeer.NO_ANCESTOR);
        String two = peer.commit("two", "2024-01-01T00:00:00.000005Z", operations(), one);
        String three = peer.commit("three", "2023-01-01T00:00:00Z", operations(), two);
        peer.reference("BRANCH main", peer.commit("four", "2024-01-02T00:00:00Z", operations(), three));

        assertThat(run().raisedTimes()).isEqualTo(2);

        try (TestCatalog catalog = new TestCatalog(store)) {
            assertThat(catalog.log("main").stream()
                            .map(each -> each.header().commitTime().toString()))
                    .containsExactly(
                            "2024-01-02T00:00:00Z",
                            "2024-01-01T00:00:00.000007Z",
                            "2024-01-01T00:00:00.000006Z",
                            "2024-01-01T00:00:00.000005Z");
        }
    }

    /** Ids are texts there: this one is no id here, though it would be read as one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ABCDEF00-0000-0001-0000-00000000ABCD",
                "0000000A-0000-0000-0000-000000000000",
                "00000000-0000-0000-00001-00000000001"
            })
    void anIdThatIsWrittenOtherwiseThanHereIsChangedAndNamed(String id) throws Exception {
        peer.reference(
                "BRANCH main",
                peer.commit(
                        "one",
                        "2024-01-01T00:00:00Z",
                        operations("a", peer.content("ICEBERG_TABLE", id, "x")),
                        FakePeer.NO_ANCESTOR));

        PeerImportReport report = run();

        assertThat(report.firstChangedContentIds())
                .extracting(ChangedContentId::key, ChangedContentId::before)
                .containsExactly(tuple("a", id));
        assertThat(report.comparedKeys()).isEqualTo(1);
    }

    @Test
    void anIdThatIsNoneHereUnderTwoKeysIsAlsoGivenOnce() throws Exception {
        ObjectNode table = peer.content("ICEBERG_TABLE", "a table", "x");
        peer.reference(
                "BRANCH main",
                peer.commit("one", "2024-01-01T00:00:00Z", operations("a", table, "b", table), FakePeer.NO_ANCESTOR));

        PeerImportReport report = run();

        assertThat(report.changedContentIds()).isEqualTo(2);
        assertThat(report.firstChangedContentIds())
                .extracting(ChangedContentId::after)
                .doesNotHaveDuplicates();
        assertThat(RepositoryCheck.full(store)).matches(CheckReport::isClean);
    }

    @Test
    void whatIsAllowedAndRareComesOver() throws Exception {
        ObjectMapper json = ApiJson.newMapper();
        ObjectNode delta = peer.content("DELTA_LAKE_TABLE", new UUID(8, 1).toString(), "x");
        delta.putArray("metadataLocationHistory").add("m");
        delta.putArray("checkpointLocationHistory");
        ObjectNode udf = json.createObjectNode()
                .put("type", "UDF")
                .put("id", new UUID(8, 2).toString())
                .put("sqlText", "select 1")
                .put("dialect", "spark");
        ObjectNode view = json.createObjectNode()
                .put("type", "ICEBERG_VIEW")
                .put("id", new UUID(8, 3).toString())
                .put("metadataLocation", "")
                .put("versionId", Long.MAX_VALUE)
                .put("schemaId", -1)
                .put("notKnownYet", true);
        ObjectNode namespace = json.createObjectNode().put("type", "NAMESPACE").put("id", new UUID(8, 4).toString());
        namespace.putArray("elements");
        String one = peer.commit(
                "",
                "9999-12-31T23:59:00Z",
                operations("a.b/c %?#", delta, "u", udf, "v", view, "n", namespace, "never there", null),
                FakePeer.NO_ANCESTOR);
        ObjectNode meta = (ObjectNode) peer.commit(one).entry().get("commitMeta");
        meta.put("committer", "").putNull("authorTime").put("message", "a\u001b[2J\n\u0000 \ud83c\udf0a");
        meta.putArray("authors");
        peer.reference("BRANCH main", one);
        peer.reference("TAG before/the.first_one-", FakePeer.NO_ANCESTOR);
        peer.reference("TAG later", peer.commit("later", "9999-12-31T23:59:00Z", operations(), one));

        PeerImportReport report = run();

        assertThat(report.comparedKeys()).isEqualTo(8);
        assertThat(RepositoryCheck.full(store)).matches(CheckReport::isClean);
        try (TestCatalog catalog = new TestCatalog(store)) {
            assertThat(catalog.contents("main")).isEqualTo(contents(peer.commit(one)));
            assertThat(catalog.log("main").getFirst().requireMeta().message())
                    .isEqualTo("a\u001b[2J\n\u0000 \ud83c\udf0a");
        }
    }

    @Test
    void aDefaultBranchThatIsNoneIsRefused() {
        peer.reference("TAG main", FakePeer.NO_ANCESTOR);

        assertThatThrownBy(this::run)
                .isInstanceOf(PeerException.class)
                .hasMessageContaining("does not show its default branch 'main'");
        assertThat(store.repository()).isEmpty();
    }

    @Test
    void aKindOfReferenceThatIsNotKnownIsRefusedByName() {
        peer.reference("BRANCH main", FakePeer.NO_ANCESTOR);
        peer.reference("BOOKMARK b", FakePeer.NO_ANCESTOR);

        assertThatThrownBy(this::run)
                .isInstanceOf(PeerException.class)
                .hasMessage("Reference 'b' cannot be kept here: its type is 'BOOKMARK', and BRANCH and TAG are known."
                        + " Rename or delete it there first");
        assertThat(store.repository()).isEmpty();
    }

    /** They differ by less than is kept of a time, so here they are one, and so are the tags at them. */
    @Test
    void commitsThatAreTheSameHereAreOne() throws Exception {
        String base = peer.commit("base", "2030-01-01T00:00:00Z", operations("a", table(1, "x")), FakePeer.NO_ANCESTOR);
        String one = peer.commit("picked", "2024-01-01T00:00:00Z", operations("b", table(2, "y")), base);
        String two = peer.commit("picked", "2024-01-02T00:00:00Z", operations("b", table(2, "y")), base);
        String merge = peer.commit("merge", "2024-01-03T00:00:00Z", operations("c", table(3, "z")), one, two);
        peer.reference("BRANCH main", merge);
        peer.reference("TAG one", one);
        peer.reference("TAG two", two);

        PeerImportReport report = run();

        assertThat(report.commits()).isEqualTo(3);
        assertThat(report.comparedStates()).isEqualTo(3);
        assertThat(store.links(0, 10)).hasSize(3);
        assertThat(hashMap()).containsEntry(two, hashMap().get(one)).hasSize(5);
        assertThat(store.reference("two").orElseThrow().head())
                .isEqualTo(store.reference("one").orElseThrow().head());
        assertThat(RepositoryCheck.full(store)).matches(CheckReport::isClean);
        try (TestCatalog catalog = new TestCatalog(store)) {
            assertThat(catalog.commit(hashMap().get(merge)).header().parents())
                    .containsExactly(hashMap().get(one), hashMap().get(one));
        }
    }

    @Test
    void anIdUnderTwoKeysIsGivenOnceAndTheOtherIsNamed() throws Exception {
        String one = peer.commit("one", "2024-01-01T00:00:00Z", operations("a", table(1, "x")), FakePeer.NO_ANCESTOR);
        String two = peer.commit("two", "2024-01-01T00:00:01Z", operations("b", table(1, "y")), one);
        String three = peer.commit("three", "2024-01-01T00:00:02Z", operations("a", null), two);
        String four = peer.commit("four", "2024-01-01T00:00:03Z", operations("b", table(1, "z")), three);
        peer.reference("BRANCH main", four);
        peer.reference(
                "BRANCH strange",
                peer.commit(
                        "no uuid",
                        "2024-01-01T00:00:04Z",
                        operations("c", peer.content("ICEBERG_TABLE", "a table", "w")),
                        four));

        PeerImportReport report = run();

        assertThat(report.changedContentIds()).isEqualTo(2);
        assertThat(report.firstChangedContentIds())
                .extracting(ChangedContentId::commit, ChangedContentId::key, ChangedContentId::before)
                .containsExactly(
                        tuple(two, "b", new UUID(9, 1).toString()),
                        tuple(
                                hashMap().keySet().stream()
                                        .filter(hash ->
                                                hash.equals(peer.references().get("BRANCH strange")))
                                        .findFirst()
                                        .orElseThrow(),
                                "c",
                                "a table"));
        assertThat(RepositoryCheck.full(store)).matches(CheckReport::isClean);
        try (TestCatalog catalog = new TestCatalog(store)) {
            String after = report.firstChangedContentIds().getFirst().after();
            assertThat(catalog.contents("main").get(key("b")).id()).hasToString(after);
        }
    }

    @Test
    void aMergeSourceThatTheServerForgotIsLeftOutAndNamed() throws Exception {
        String one = peer.commit("one", "2024-01-01T00:00:00Z", operations("a", table(1, "x")), FakePeer.NO_ANCESTOR);
        String gone = peer.commit("gone", "2024-01-01T00:00:01Z", operations("b", table(2, "x")), one);
        peer.reference(
                "BRANCH main", peer.commit("merge", "2024-01-01T00:00:02Z", operations("b", table(2, "x")), one, gone));
        peer.forget(gone);

        PeerImportReport report = run();

        assertThat(report.missingParents()).containsExactly(gone);
        assertThat(report.commits()).isEqualTo(2);
        try (TestCatalog catalog = new TestCatalog(store)) {
            assertThat(catalog.log("main").getFirst().parents()).hasSize(1);
        }
    }

    @Test
    void anImportThatWasBrokenOffServesNothingAndGoesOn() throws Exception {
        String at = FakePeer.NO_ANCESTOR;
        for (int i = 0; i < 20; i++) {
            at = peer.commit("c" + i, Instant.ofEpochSecond(i).toString(), operations("t" + i, table(i, "x")), at);
        }
        peer.reference("BRANCH main", at);
        peer.failAfter(11);

        assertThatThrownBy(this::run).isInstanceOf(ApiFailure.class);
        assertThat(store.repository().map(RepositoryRow::isBeingImported)).hasValue(true);
        assertThat(store.reference("main")).isEmpty();
        peer.failAfter(0);
        PeerImportReport report = run();

        assertThat(report.found()).isEqualTo(20);
        assertThat(store.repository().map(RepositoryRow::isBeingImported)).hasValue(false);
        assertSame(report);
        assertThatThrownBy(this::run)
                .isInstanceOf(TransferRefusedException.class)
                .hasMessageContaining("needs an empty one");
    }

    /** What the store is asked for does not grow with what is there. */
    @Test
    void whatIsThereIsLookedUpTogether() throws Exception {
        assertThat(tripsToGoOn(200)).isEqualTo(tripsToGoOn(20));
    }

    /** Breaks off the comparison of an import, and counts the trips of the next one. */
    private int tripsToGoOn(int commits) throws Exception {
        try (FakePeer server = new FakePeer();
                CountingStore counted = new CountingStore(new MemoryStore())) {
            String at = FakePeer.NO_ANCESTOR;
            for (int i = 0; i < commits; i++) {
                at = server.commit(
                        "c" + i, Instant.ofEpochSecond(i).toString(), operations("t" + i, table(i, "x")), at);
            }
            server.reference("BRANCH main", at);
            server.commit(at).state().clear();
            assertThatThrownBy(() -> run(server, counted, Comparison.ALL_KEYS)).isInstanceOf(PeerException.class);
            counted.resetCounts();
            PeerImportReport report = run(server, counted, Comparison.NONE);
            assertThat(report.found()).isEqualTo(commits);
            return counted.trips();
        }
    }

    @Test
    void whatCannotBeKeptIsRefusedByName() throws Exception {
        peer.reference("BRANCH main", FakePeer.NO_ANCESTOR);
        peer.reference("BRANCH not.allowed.", FakePeer.NO_ANCESTOR);
        assertThatThrownBy(this::run)
                .isInstanceOf(PeerException.class)
                .hasMessageContaining("Reference 'not.allowed.' cannot be kept here");
        peer.forgetReference("BRANCH not.allowed.");

        String strange = peer.commit(
                "x",
                "2024-01-01T00:00:00Z",
                operations("a", peer.content("MYSTERY", new UUID(1, 1).toString(), "x")),
                FakePeer.NO_ANCESTOR);
        peer.reference("BRANCH main", strange);
        assertThatThrownBy(this::run)
                .isInstanceOf(PeerException.class)
                .hasMessageContaining(
                        "Commit " + strange + " cannot be kept here: 'MYSTERY' is not a type that is known here");
    }

    /** What a server says of a commit, with one thing in it that cannot be. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/commitMeta | authors | [null] | authors: must not contain null",
                "/commitMeta | allSignedOffBy | [null] | allSignedOffBy: must not contain null",
                "/commitMeta | allProperties | {\"p\":[null]} | allProperties: must not contain null",
                "/commitMeta | commitTime | null | commitTime: must not be null",
                "/commitMeta | commitTime | \"+999999999-12-31T23:59:59Z\" | the year lies outside 0001 to 9999",
                "/commitMeta | hash | \"a\\nforged line\" | something that is no hash",
                "/commitMeta | hash | {} | something that is no hash",
                "/commitMeta | parentCommitHashes | [1,2] | something that is no hash",
                "'' | parentCommitHash | \"../..\" | something that is no hash",
                "'' | operations | [null] | key: must not be null",
                "'' | operations | [7] | key: must not be null",
                "/operations/0 | key | null | key: must not be null",
                "/operations/0 | key | {\"elements\":[null]} | elements: must not contain null",
                "/operations/0 | content | null | there is a content without an id",
                "/operations/0 | type | \"RENAME\" | it has an operation of type 'RENAME'",
            })
    void whatAHostileServerSaysIsRefusedByName(String place, String field, String value, String reason)
            throws Exception {
        String one = peer.commit("one", "2024-01-01T00:00:00Z", operations("a", table(1, "x")), FakePeer.NO_ANCESTOR);
        ((ObjectNode) peer.commit(one).entry().at(place))
                .set(field, ApiJson.newMapper().readTree(value));
        peer.reference("BRANCH main", one);

        assertThatThrownBy(this::run).isInstanceOf(PeerException.class).hasMessageContaining(reason);
        assertThat(store.reference("main")).isEmpty();
    }

    @Test
    void aReferenceThatIsNowhereIsRefused() {
        peer.reference("BRANCH main", "\u001b[2J");

        assertThatThrownBy(this::run)
                .isInstanceOf(PeerException.class)
                .hasMessageContaining("something that is no hash");
        assertThat(store.repository()).isEmpty();
    }

    @Test
    void aNameThatIsThereTwiceIsRefused() {
        peer.reference("BRANCH main", FakePeer.NO_ANCESTOR);
        peer.reference("TAG main", FakePeer.NO_ANCESTOR);

        assertThatThrownBy(this::run)
                .isInstanceOf(PeerException.class)
                .hasMessageContaining("The server shows reference 'main' twice");
        assertThat(store.repository()).isEmpty();
    }

    /** As from a server whose log does not tell all that was done. */
    @Test
    void aStateThatComesOutDifferentlyIsNotMadeVisible() throws Exception {
        String one = peer.commit("one", "2024-01-01T00:00:00Z", operations("a", table(1, "x")), FakePeer.NO_ANCESTOR);
        peer.commit(one).state().put(key("b"), table(2, "y"));
        peer.reference("BRANCH main", one);

        assertThatThrownBy(this::run)
                .isInstanceOf(PeerException.class)
                .hasMessageContaining(
                        "BRANCH 'main' is not what it is there, at commit " + one + ": key b is not here");
        assertThat(store.repository().map(RepositoryRow::isBeingImported)).hasValue(true);

        assertThat(run(Comparison.NONE).comparedStates()).isZero();
    }

    /** Here it is the state of its parent, which came out well. */
    @Test
    void aStateThatIsMissingItsLastChangeIsNotMadeVisible() throws Exception {
        String one = peer.commit("one", "2024-01-01T00:00:00Z", operations("a", table(1, "x")), FakePeer.NO_ANCESTOR);
        String two = peer.commit("two", "2024-01-02T00:00:00Z", operations(), one);
        peer.commit(two).state().put(key("b"), table(2, "y"));
        peer.reference("BRANCH main", one);
        peer.reference("BRANCH dev", two);

        assertThatThrownBy(this::run)
                .isInstanceOf(PeerException.class)
                .hasMessageContaining("BRANCH 'dev' is not what it is there, at commit " + two + ": key b is not here");
        assertThat(store.repository().map(RepositoryRow::isBeingImported)).hasValue(true);
    }

    @Test
    void aServerThatHidesItsDefaultBranchIsRefused() {
        peer.reference("BRANCH dev", FakePeer.NO_ANCESTOR);

        assertThatThrownBy(this::run)
                .isInstanceOf(PeerException.class)
                .hasMessageContaining("does not show its default branch 'main'");
        assertThat(store.repository()).isEmpty();
    }
}
