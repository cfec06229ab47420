package org.anabranch.service;

import static org.anabranch.service.ReadFixture.BRANCH;
import static org.anabranch.service.ReadFixture.at;
import static org.anabranch.service.ReadFixture.head;
import static org.anabranch.testing.Callers.UNRESTRICTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.anabranch.model.CommitHeader;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitMeta;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.model.Detail;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.HashSpec;
import org.anabranch.model.HistoryRequest;
import org.anabranch.model.LogEntry;
import org.anabranch.model.Operation;
import org.anabranch.model.Page;
import org.anabranch.model.RefSpec;
import org.anabranch.model.RefusedException;
import org.anabranch.model.RelativeSpec;
import org.anabranch.object.Commit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadHistoryTest {

    private final ReadFixture fixture = new ReadFixture();
    private final List<Commit> line = new ArrayList<>(List.of(Commit.NO_ANCESTOR));

    /** Commits number 1 to that on the branch, by authors "odd" and "even" in turn. */
    private void commits(int count) {
        for (int i = line.size(); i <= count; i++) {
            CommitMeta meta = new CommitMeta(
                    "commit " + i, "", List.of(i % 2 == 0 ? "even" : "odd"), Instant.EPOCH, List.of(), Map.of());
            Map<ContentKey, Optional<Content>> changes = Map.of(
                    ContentKey.of("all"),
                    Optional.of(ReadFixture.table(i)),
                    ContentKey.of("t" + i),
                    Optional.of(ReadFixture.table(1_000 + i)));
            line.add(fixture.commit(line.get(i - 1), changes, meta));
        }
        fixture.branch(BRANCH, line.get(count));
    }

    private static HistoryRequest request(@Nullable HashSpec limit, String filter, int maxRecords) {
        return new HistoryRequest(head(BRANCH), Detail.MINIMAL, limit, filter, maxRecords, "");
    }

    private static HashSpec hash(Commit commit) {
        return new HashSpec(commit.id().toString(), List.of());
    }

    private List<Integer> numbers(HistoryRequest request) {
        return numbers(fixture.histories.read(request, UNRESTRICTED));
    }

    private List<Integer> numbers(Page<LogEntry> page) {
        return page.toList().stream()
                .map(entry -> (int) line.stream()
                        .filter(commit -> commit.id().equals(entry.commit().id()))
                        .findFirst()
                        .orElseThrow()
                        .seq())
                .toList();
    }

    /** The pages of a history, each as the numbers of its commits. */
    private List<List<Integer>> pages(HistoryRequest request) {
        List<List<Integer>> pages = new ArrayList<>();
        HistoryRequest next = request;
        while (true) {
            Page<LogEntry> page = fixture.histories.read(next, UNRESTRICTED);
            pages.add(numbers(page));
            Optional<String> token = page.nextToken();
            if (token.isEmpty()) {
                return pages;
            }
            next = new HistoryRequest(
                    request.reference(),
                    request.detail(),
                    request.limit(),
                    request.filter(),
                    request.maxRecords(),
                    token.get());
        }
    }

    @Test
    void showsTheLineYoungestFirst() {
        commits(3);
        List<LogEntry> entries =
                fixture.histories.read(request(null, "", 0), UNRESTRICTED).toList();
        assertThat(entries)
                .extracting(entry -> entry.commit().meta().message())
                .containsExactly("commit 3", "commit 2", "commit 1");
        CommitHeader first = entries.get(2).commit();
        assertThat(first.parents()).containsExactly(CommitId.NO_ANCESTOR);
        assertThat(first.commitTime()).isEqualTo(Instant.parse("2023-11-14T22:13:20Z"));
        assertThat(entries.get(0).commit().parents())
                .containsExactly(line.get(2).id());
        assertThat(entries).allSatisfy(entry -> assertThat(entry.operations()).isNull());
        assertThat(fixture.reader.operationsRead()).isZero();
    }

    @Test
    void noAncestorHasNoHistory() {
        fixture.branch(BRANCH, Commit.NO_ANCESTOR);
        Page<LogEntry> page = fixture.histories.read(request(null, "", 0), UNRESTRICTED);
        assertThat(page.toList()).isEmpty();
        assertThat(page.nextToken()).isEmpty();
        assertThat(numbers(new HistoryRequest(at(Commit.NO_ANCESTOR), Detail.ALL, null, "", 0, "")))
                .isEmpty();
    }

    @Test
    void operationsShowDeletionsBeforePutsEachInKeyOrder() {
        Commit before = fixture.commitOf(
                Map.of(ContentKey.of("b"), ReadFixture.table(1), ContentKey.of("x"), ReadFixture.table(2)));
        Map<ContentKey, Optional<Content>> changes = new TreeMap<>();
        changes.put(ContentKey.of("a"), Optional.of(ReadFixture.table(3)));
        changes.put(ContentKey.of("b"), Optional.empty());
        changes.put(ContentKey.of("c"), Optional.of(ReadFixture.table(4)));
        changes.put(ContentKey.of("x"), Optional.empty());
        Commit after = fixture.commit(before, changes);
        List<LogEntry> entries = fixture.histories
                .read(new HistoryRequest(at(after), Detail.ALL, null, "", 0, ""), UNRESTRICTED)
                .toList();
        assertThat(entries.get(0).operations())
                .toIterable()
                .containsExactly(
                        new Operation.Delete(ContentKey.of("b")),
                        new Operation.Delete(ContentKey.of("x")),
                        new Operation.Put(ContentKey.of("a"), ReadFixture.table(3)),
                        new Operation.Put(ContentKey.of("c"), ReadFixture.table(4)));
    }

    @Test
    void aCommitWithoutOperationsShowsNone() {
        Commit empty = fixture.commit(Commit.NO_ANCESTOR, Map.of());
        assertThat(fixture.histories
                        .read(new HistoryRequest(at(empty), Detail.ALL, null, "", 0, ""), UNRESTRICTED)
                        .toList())
                .containsExactly(new LogEntry(empty.header(), null));
        assertThat(fixture.histories
                        .read(
                                new HistoryRequest(at(empty), Detail.ALL, null, "operations.all(op, false)", 0, ""),
                                UNRESTRICTED)
                        .toList())
                .hasSize(1);
    }

    @Test
    void putsShowWhatTheyPutAndNotWhatIsThereNow() {
        commits(5);
        List<LogEntry> entries = fixture.histories
                .read(new HistoryRequest(head(BRANCH), Detail.ALL, null, "", 0, ""), UNRESTRICTED)
                .toList();
        for (int i = 1; i <= 5; i++) {
            assertThat(entries.get(5 - i).operations())
                    .toIterable()
                    .containsExactly(
                            new Operation.Put(ContentKey.of("all"), ReadFixture.table(i)),
                            new Operation.Put(ContentKey.of("t" + i), ReadFixture.table(1_000 + i)));
        }
    }

    @Test
    void filtersSeeOperationsOnlyWhereTheyAreShown() {
        commits(4);
        String filter = "operations.exists(op, op.key == 't3' && op.content.type == 'ICEBERG_TABLE')";
        assertThat(numbers(new HistoryRequest(head(BRANCH), Detail.ALL, null, filter, 0, "")))
                .containsExactly(3);
        assertThat(numbers(request(null, filter, 0))).isEmpty();
        assertThat(fixture.reader.contentsRead())
                .as("of the commit that is shown")
                .isEqualTo(2);
    }

    @Test
    void filtersOnMetadataReadNoOperations() {
        commits(20);
        fixture.reader.resetCounts();
        HistoryRequest all = new HistoryRequest(head(BRANCH), Detail.ALL, null, "commit.message == 'commit 7'", 0, "");
        assertThat(numbers(all)).containsExactly(7);
        assertThat(fixture.reader.operationsRead()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 30, 249, 250, 251, 1_000})
    void pagesOfAnySizeMakeTheWholeHistory(int pageSize) {
        commits(300);
        for (String filter : List.of("", "commit.author == 'even'", "commit.message == 'commit 1'")) {
            for (HashSpec limit : new HashSpec[] {null, hash(line.get(101)), hash(line.get(100))}) {
                List<Integer> expected = new ArrayList<>();
                for (int i = 300; i >= (limit == null ? 1 : limit.equals(hash(line.get(101))) ? 101 : 100); i--) {
                    boolean even = filter.contains("even");
                    boolean one = filter.contains("message");
                    if (filter.isEmpty() || even && i % 2 == 0 || one && i == 1) {
                        expected.add(i);
                    }
                }
                List<List<Integer>> pages = pages(request(limit, filter, pageSize));
                assertThat(pages.stream().flatMap(List::stream).toList()).isEqualTo(expected);
                int full = Math.min(pageSize, 250);
                assertThat(pages.subList(0, pages.size() - 1))
                        .allSatisfy(page -> assertThat(page).hasSize(full));
                assertThat(pages.size() == 1 || !pages.get(pages.size() - 1).isEmpty())
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE, 251, Integer.MAX_VALUE})
    void C19_Q9_a_page_never_holds_more_than_250(int maxRecords) {
        commits(260);
        assertThat(pages(request(null, "", maxRecords)))
                .satisfiesExactly(
                        page -> assertThat(page).hasSize(250),
                        page -> assertThat(page).hasSize(10));
    }

    @Test
    void theLimitIsIncluded() {
        commits(6);
        assertThat(numbers(request(hash(line.get(4)), "", 0))).containsExactly(6, 5, 4);
        assertThat(numbers(request(hash(line.get(6)), "", 0))).containsExactly(6);
        assertThat(numbers(request(new HashSpec(null, List.of(new RelativeSpec.Predecessor(2))), "", 0)))
                .containsExactly(6, 5, 4);
        assertThat(numbers(request(
                        new HashSpec(line.get(5).id().toString(), List.of(new RelativeSpec.Predecessor(1))), "", 0)))
                .containsExactly(6, 5, 4);
    }

    @Test
    void aLimitThatIsNotMetHasNoEffect() {
        commits(4);
        Commit elsewhere = fixture.commitOf(Map.of(ContentKey.of("x"), ReadFixture.table(1)));
        assertThat(numbers(request(hash(elsewhere), "", 0))).containsExactly(4, 3, 2, 1);
        assertThat(numbers(request(new HashSpec("ab".repeat(32), List.of()), "", 0)))
                .containsExactly(4, 3, 2, 1);
        assertThat(numbers(request(new HashSpec("abababab", List.of()), "", 0))).containsExactly(4, 3, 2, 1);
        assertThat(numbers(request(new HashSpec(null, List.of(new RelativeSpec.Predecessor(9))), "", 0)))
                .containsExactly(4, 3, 2, 1);
        assertThat(numbers(new HistoryRequest(at(line.get(2)), Detail.MINIMAL, hash(line.get(3)), "", 0, "")))
                .as("a limit above the start")
                .containsExactly(2, 1);
    }

    @Test
    void aLimitWithStepsFromAnUnknownHashIsNotFound() {
        commits(4);
        HashSpec limit = new HashSpec("ab".repeat(32), List.of(new RelativeSpec.Predecessor(1)));
        assertRefused(request(limit, "", 0), ErrorCode.REFERENCE_NOT_FOUND, "abab");
    }

    @Test
    void aLimitWithStepsAloneNeedsANamedReference() {
        commits(4);
        HashSpec limit = new HashSpec(null, List.of(new RelativeSpec.Predecessor(1)));
        assertRefused(
                new HistoryRequest(at(line.get(4)), Detail.MINIMAL, limit, "", 0, ""),
                ErrorCode.BAD_REQUEST,
                "Oldest hash must contain a starting commit ID.");
    }

    @Test
    void C14_the_limit_ends_the_history_though_the_filter_hides_it() {
        commits(8);
        assertThat(numbers(request(hash(line.get(5)), "commit.author == 'even'", 0)))
                .containsExactly(8, 6);
        assertThat(pages(request(hash(line.get(5)), "commit.author == 'even'", 1)))
                .containsExactly(List.of(8), List.of(6));
    }

    @Test
    void Q8_a_limit_behind_a_full_page_comes_on_the_next_page() {
        commits(5);
        assertThat(pages(request(hash(line.get(2)), "", 3))).containsExactly(List.of(5, 4, 3), List.of(2));
        assertThat(pages(request(hash(line.get(3)), "", 3))).containsExactly(List.of(5, 4, 3));
    }

    @Test
    void Q13_no_limit_is_the_whole_line() {
        commits(3);
        assertThat(numbers(request(null, "", 0))).containsExactly(3, 2, 1);
    }

    @Test
    void C13_steps_of_a_path_are_applied_one_after_the_other() {
        commits(8);
        RefSpec spec = new RefSpec(
                BRANCH,
                new HashSpec(
                        null,
                        List.of(
                                new RelativeSpec.Predecessor(2),
                                new RelativeSpec.Parent(1),
                                new RelativeSpec.Predecessor(3))));
        assertThat(numbers(new HistoryRequest(spec, Detail.MINIMAL, null, "", 0, "")))
                .containsExactly(2, 1);
    }

    @Test
    void pagesGoOnFromTheTokenWhereverTheBranchIs() {
        commits(6);
        Page<LogEntry> first = fixture.histories.read(request(null, "", 2), UNRESTRICTED);
        assertThat(numbers(first)).containsExactly(6, 5);
        assertThat(first.nextToken()).contains(line.get(4).id().toString());
        commits(9);
        assertThat(numbers(new HistoryRequest(
                        head(BRANCH),
                        Detail.MINIMAL,
                        null,
                        "",
                        3,
                        first.nextToken().get())))
                .containsExactly(4, 3, 2);
    }

    @Test
    void theTokenOfAnUnknownCommitIsNotFoundAndAnyOtherTextRefused() {
        commits(3);
        HistoryRequest unknown = new HistoryRequest(head(BRANCH), Detail.MINIMAL, null, "", 2, "ab".repeat(32));
        assertRefused(unknown, ErrorCode.REFERENCE_NOT_FOUND, "abab");
        for (String bad : List.of("x", "abab", "zz".repeat(32))) {
            assertRefused(
                    new HistoryRequest(head(BRANCH), Detail.MINIMAL, null, "", 2, bad),
                    ErrorCode.BAD_REQUEST,
                    "page-token");
        }
    }

    @Test
    void Q7_a_filter_that_fails_late_is_refused_before_the_first_item() {
        commits(200);
        assertRefused(
                request(null, "commit.message != 'commit 3' || 1 / 0 == 1", 0),
                ErrorCode.BAD_REQUEST,
                "divide by zero");
    }

    @Test
    void operationsAreReadWhileThePageIsWalked() {
        commits(150);
        fixture.reader.resetCounts();
        Page<LogEntry> page =
                fixture.histories.read(new HistoryRequest(head(BRANCH), Detail.ALL, null, "", 0, ""), UNRESTRICTED);
        page.next();
        assertThat(fixture.reader.operationsRead()).isEqualTo(1);
        assertThat(page.toList()).hasSize(149);
        assertThat(fixture.reader.operationsRead()).isEqualTo(150);
    }

    private void assertRefused(HistoryRequest request, ErrorCode code, String message) {
        assertThatThrownBy(() -> fixture.histories.read(request, UNRESTRICTED))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(message);
    }
}
