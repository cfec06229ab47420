package org.anabranch.service;

import static org.anabranch.service.ReadFixture.at;
import static org.anabranch.testing.Callers.UNRESTRICTED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.model.Detail;
import org.anabranch.model.DiffRequest;
import org.anabranch.model.EntriesRequest;
import org.anabranch.model.Entry;
import org.anabranch.model.HistoryRequest;
import org.anabranch.model.KeySelection;
import org.anabranch.model.Page;
import org.anabranch.object.Commit;
import org.anabranch.service.ReadContents.Purpose;
import org.anabranch.testing.RowCommits;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What reads cost in node reads, cached or not: it depends on what they touch, and on the depth of the tree alone. */
class ReadCostTest {

    private final ReadFixture fixture = new ReadFixture();

    private Commit catalog(int keys) {
        SortedMap<ContentKey, Content> contents = new TreeMap<>();
        for (int i = 0; i < keys; i++) {
            contents.put(RowCommits.key(i), RowCommits.table(i, 1));
        }
        return fixture.commitOf(contents);
    }

    private static EntriesRequest entries(Commit commit, KeySelection keys, String filter, int max, String token) {
        return new EntriesRequest(at(commit), keys, Detail.MINIMAL, filter, max, token);
    }

    private static int levels(Commit commit) {
        return commit.tree().level() + 1;
    }

    @ParameterizedTest(name = "{0} keys")
    @ValueSource(ints = {1_000, 10_000, 100_000})
    void contentsCostAPathEachAndATripALevel(int keys) {
        Commit commit = catalog(keys);
        assertThat(levels(commit)).isLessThanOrEqualTo(5);
        for (int wanted : new int[] {1, 20}) {
            List<ContentKey> some = IntStream.range(0, wanted)
                    .mapToObj(i -> RowCommits.key(i * (keys / wanted)))
                    .toList();
            fixture.reader.resetCounts();
            assertThat(fixture.contents
                            .read(at(commit), some, Purpose.READ, UNRESTRICTED)
                            .contents()
                            .toList())
                    .hasSize(wanted);
            assertThat(fixture.reader.nodesRead()).isLessThanOrEqualTo(wanted * levels(commit));
            assertThat(fixture.reader.trips())
                    .as("the commit, the levels, the contents")
                    .isLessThanOrEqualTo(levels(commit) + 2);
        }
    }

    @ParameterizedTest(name = "{0} keys")
    @ValueSource(ints = {1_000, 10_000, 100_000})
    void aPageOfEntriesCostsItsEntries(int keys) {
        Commit commit = catalog(keys);
        KeySelection half = new KeySelection(null, ContentKey.of("ns50"), null, null);
        Page<Entry> page = fixture.entries
                .list(entries(commit, half, "", 50, ""), UNRESTRICTED)
                .entries();
        page.toList();
        String token = page.nextToken().orElseThrow();
        fixture.reader.resetCounts();
        assertThat(fixture.entries
                        .list(entries(commit, half, "", 50, token), UNRESTRICTED)
                        .entries()
                        .toList())
                .hasSize(50);
        assertThat(fixture.reader.nodesRead()).isLessThanOrEqualTo(levels(commit) + 50);
    }

    @ParameterizedTest(name = "{0} keys")
    @ValueSource(ints = {1_000, 10_000, 100_000})
    void aFilterOnANamespaceCostsTheNamespace(int keys) {
        Commit commit = catalog(keys);
        fixture.reader.resetCounts();
        String filter = "entry.namespace == 'ns50' && entry.name.endsWith('1')";
        List<Entry> found = fixture.entries
                .list(entries(commit, KeySelection.ALL, filter, 0, ""), UNRESTRICTED)
                .entries()
                .toList();
        assertThat(found).hasSize(keys / 1_000);
        assertThat(fixture.reader.nodesRead())
                .as("of %d entries below the namespace", keys / 100)
                .isLessThanOrEqualTo(levels(commit) + keys / 100);
    }

    @ParameterizedTest(name = "{0} keys below each of 20 namespaces")
    @ValueSource(ints = {50, 500, 5_000})
    void childrenOfTheRootCostAFewPathsEach(int below) {
        SortedMap<ContentKey, Content> contents = new TreeMap<>();
        for (int i = 0; i < 20; i++) {
            ContentKey namespace = ContentKey.of("n" + (10 + i));
            contents.put(namespace, ReadFixture.namespace(namespace));
            for (int j = 0; j < below; j++) {
                contents.put(ContentKey.of(namespace.name(), "t" + j), ReadFixture.table(j));
            }
        }
        Commit commit = fixture.commitOf(contents);
        fixture.reader.resetCounts();
        String filter = "entry.contentType == 'NAMESPACE' && size(entry.keyElements) == 1";
        assertThat(fixture.entries
                        .list(entries(commit, KeySelection.ALL, filter, 0, ""), UNRESTRICTED)
                        .entries()
                        .toList())
                .hasSize(20);
        assertThat(fixture.reader.nodesRead()).isLessThanOrEqualTo(20 * (levels(commit) + 14));
    }

    @ParameterizedTest(name = "{0} keys")
    @ValueSource(ints = {1_000, 10_000, 100_000})
    void aDiffCostsItsDifferences(int keys) {
        Commit commit = catalog(keys);
        for (int differences : new int[] {0, 1, 20}) {
            Map<ContentKey, Optional<Content>> changes = new TreeMap<>();
            for (int i = 0; i < differences; i++) {
                int n = i * (keys / 20);
                changes.put(RowCommits.key(n), Optional.of(RowCommits.table(n, 2)));
            }
            Commit other = fixture.commit(commit, changes);
            fixture.reader.resetCounts();
            assertThat(fixture.diffs
                            .diff(new DiffRequest(at(commit), at(other), KeySelection.ALL, "", 0, ""), UNRESTRICTED)
                            .diffs()
                            .toList())
                    .hasSize(differences);
            assertThat(fixture.reader.nodesRead()).isLessThanOrEqualTo(2 * differences * levels(commit));
        }
    }

    @ParameterizedTest(name = "{0} commits")
    @ValueSource(ints = {300, 3_000})
    void aPageOfHistoryCostsItsCommits(int commits) {
        Commit head = Commit.NO_ANCESTOR;
        for (int i = 0; i < commits; i++) {
            head = fixture.commit(head, Map.of(ContentKey.of("t"), Optional.of(ReadFixture.table(i))));
        }
        fixture.reader.resetCounts();
        Page<?> page =
                fixture.histories.read(new HistoryRequest(at(head), Detail.MINIMAL, null, "", 250, ""), UNRESTRICTED);
        assertThat(page.toList()).hasSize(250);
        assertThat(fixture.reader.commitsRead()).isLessThanOrEqualTo(600);
        assertThat(fixture.reader.nodesRead()).isZero();
    }

    @ParameterizedTest(name = "{0} keys")
    @ValueSource(ints = {1_000, 10_000, 100_000})
    void aShortPageOfAFilterCostsTheEntriesUpToItsEnd(int keys) {
        Commit commit = catalog(keys);
        fixture.reader.resetCounts();
        Page<Entry> page = fixture.entries
                .list(entries(commit, KeySelection.ALL, "entry.name.matches('.')", 20, ""), UNRESTRICTED)
                .entries();
        assertThat(page.toList()).hasSize(20);
        assertThat(page.nextToken()).isPresent();
        assertThat(fixture.reader.nodesRead()).isLessThanOrEqualTo(levels(commit) + 50);
    }

    @ParameterizedTest(name = "{0} commits")
    @ValueSource(ints = {300, 3_000})
    void aShortPageOfAFilteredHistoryCostsTheCommitsUpToItsEnd(int commits) {
        Commit head = Commit.NO_ANCESTOR;
        for (int i = 0; i < commits; i++) {
            head = fixture.commit(head, Map.of(ContentKey.of("t"), Optional.of(ReadFixture.table(i))));
        }
        fixture.reader.resetCounts();
        Page<?> page = fixture.histories.read(
                new HistoryRequest(at(head), Detail.ALL, null, "operations.exists(op, op.type == 'PUT')", 2, ""),
                UNRESTRICTED);
        assertThat(page.toList()).hasSize(2);
        assertThat(page.nextToken()).isPresent();
        assertThat(fixture.reader.operationsRead())
                .as("three for the filter, two to show")
                .isLessThanOrEqualTo(5);
    }
}
