package org.anabranch.service;

import static org.anabranch.service.ReadFixture.BRANCH;
import static org.anabranch.service.ReadFixture.at;
import static org.anabranch.service.ReadFixture.head;
import static org.anabranch.testing.Callers.UNRESTRICTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.anabranch.filter.FilterLimits;
import org.anabranch.filter.Filters;
import org.anabranch.model.CommitId;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.Detail;
import org.anabranch.model.EntriesRequest;
import org.anabranch.model.Entry;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.HashSpec;
import org.anabranch.model.KeySelection;
import org.anabranch.model.RefSpec;
import org.anabranch.model.Reference;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.RefusedException;
import org.anabranch.object.Commit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListEntriesTest {

    private static final List<String> FILTERS = List.of(
            "",
            "entry.contentType == 'NAMESPACE'",
            "entry.contentType == 'NAMESPACE' && size(entry.keyElements) == 1",
            "entry.contentType == 'NAMESPACE' && size(entry.keyElements) == 2 && entry.encodedKey.startsWith('a.')",
            "entry.contentType == 'NAMESPACE'&& (entry.encodedKey == 'a' || entry.encodedKey.startsWith('a.'))",
            "entry.encodedKey.startsWith('a.')",
            "entry.encodedKey.startsWith('a\u001db.')",
            "entry.encodedKey.startsWith('a')",
            "entry.namespace == 'a.b'",
            "entry.namespace == ''",
            "entry.namespace.startsWith('a.')",
            "entry.encodedKey == 'a.b'",
            "entry.encodedKey == '.'",
            "entry.contentType in ['ICEBERG_TABLE','ICEBERG_VIEW'] && entry.name == 'ab'",
            "size(entry.keyElements) == 0",
            "size(entry.keyElements) == 2 || entry.namespace == 'ab'",
            "false",
            "true");

    private final ReadFixture fixture = new ReadFixture();

    private static EntriesRequest request(RefSpec reference, int maxRecords, String token) {
        return new EntriesRequest(reference, KeySelection.ALL, Detail.MINIMAL, "", maxRecords, token);
    }

    private static List<Entry> expected(SortedMap<ContentKey, Content> contents, KeySelection keys, String filter) {
        var compiled = new Filters(FilterLimits.DEFAULT, InstantSource.system()).entries(filter);
        List<Entry> expected = new ArrayList<>();
        contents.forEach((key, content) -> {
            Entry entry = new Entry(key, content.type(), content.id(), content);
            boolean wanted = (keys.keys() == null || keys.keys().contains(key))
                    && (keys.min() == null || key.compareTo(keys.min()) >= 0)
                    && (keys.max() == null || key.compareTo(keys.max()) <= 0)
                    && (keys.prefix() == null || key.startsWith(keys.prefix()));
            if (wanted && compiled.test(entry)) {
                expected.add(entry);
            }
        });
        return expected;
    }

    private static KeySelection selection(Random random) {
        TreeSet<ContentKey> keys = null;
        if (random.nextInt(3) == 0) {
            keys = new TreeSet<>();
            for (int i = random.nextInt(30); i > 0; i--) {
                keys.add(ReadFixture.key(random));
            }
        }
        return switch (random.nextInt(3)) {
            case 0 -> new KeySelection(keys, null, null, ReadFixture.key(random));
            case 1 ->
                new KeySelection(
                        keys,
                        random.nextBoolean() ? ReadFixture.key(random) : null,
                        random.nextBoolean() ? ReadFixture.key(random) : null,
                        null);
            default -> new KeySelection(keys, null, null, null);
        };
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void agreesWithASortedMapWhateverThePageSize(long seed) {
        Random random = new Random(seed);
        SortedMap<ContentKey, Content> contents = ReadFixture.contents(random, 20 + random.nextInt(600));
        Commit commit = fixture.commitOf(contents);
        for (String filter : FILTERS) {
            KeySelection keys = selection(random);
            List<Entry> expected = expected(contents, keys, filter);
            for (int pageSize : new int[] {0, -1, 1 + random.nextInt(20), 100, 101}) {
                assertThat(fixture.pages(at(commit), keys, Detail.ALL, filter, pageSize))
                        .as("%s %s by %d", filter, keys, pageSize)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void contentsAreFetchedOnlyWhereTheyAreShown() {
        SortedMap<ContentKey, Content> contents = ReadFixture.contents(new Random(1), 300);
        Commit commit = fixture.commitOf(contents);
        fixture.reader.resetCounts();
        List<Entry> entries =
                fixture.pages(at(commit), KeySelection.ALL, Detail.MINIMAL, "entry.contentType == 'NAMESPACE'", 0);
        assertThat(fixture.reader.contentsRead()).isZero();
        assertThat(entries)
                .isNotEmpty()
                .allSatisfy(entry -> assertThat(entry.content()).isNull());

        fixture.pages(at(commit), KeySelection.ALL, Detail.ALL, "entry.contentType == 'NAMESPACE'", 0);
        assertThat(fixture.reader.contentsRead()).isEqualTo(entries.size());
    }

    @Test
    void contentsAreReadWhileThePageIsWalked() {
        SortedMap<ContentKey, Content> contents = new TreeMap<>();
        for (int i = 0; i < 2_000; i++) {
            contents.put(ContentKey.of("t" + i), ReadFixture.table(i));
        }
        Commit commit = fixture.commitOf(contents);
        fixture.reader.resetCounts();
        var page = fixture.entries
                .list(new EntriesRequest(at(commit), KeySelection.ALL, Detail.ALL, "", 0, ""), UNRESTRICTED)
                .entries();
        page.next();
        assertThat(fixture.reader.contentsRead()).isEqualTo(100);
        assertThat(page.toList()).hasSize(1_999);
        assertThat(fixture.reader.contentsRead()).isEqualTo(2_000);
    }

    @Test
    void noAncestorIsEmpty() {
        fixture.branch(BRANCH, Commit.NO_ANCESTOR);
        var listed = fixture.entries.list(request(head(BRANCH), 1, ""), UNRESTRICTED);
        assertThat(listed.entries().toList()).isEmpty();
        assertThat(listed.entries().nextToken()).isEmpty();
        assertThat(listed.reference())
                .isEqualTo(new Reference.Named(ReferenceKind.BRANCH, BRANCH, CommitId.NO_ANCESTOR));
    }

    @Test
    void aLastPageThatIsExactlyFullHasNoToken() {
        Commit commit = fixture.commitOf(
                Map.of(ContentKey.of("a"), ReadFixture.table(1), ContentKey.of("b"), ReadFixture.table(2)));
        var page =
                fixture.entries.list(request(at(commit), 2, ""), UNRESTRICTED).entries();
        assertThat(page.toList()).hasSize(2);
        assertThat(page.nextToken()).isEmpty();
        assertThatThrownBy(page::next).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void theTokenIsKnownAtTheEndOfThePage() {
        Commit commit = fixture.commitOf(ReadFixture.contents(new Random(1), 50));
        var page =
                fixture.entries.list(request(at(commit), 2, ""), UNRESTRICTED).entries();
        assertThatThrownBy(page::nextToken).isInstanceOf(IllegalStateException.class);
        page.toList();
        assertThat(page.nextToken()).isPresent().isEqualTo(page.nextToken());
    }

    @Test
    void Q18_all_pages_show_the_commit_of_the_first() {
        SortedMap<ContentKey, Content> contents = ReadFixture.contents(new Random(3), 60);
        Commit first = fixture.commitOf(contents);
        fixture.branch(BRANCH, first);
        var page = fixture.entries
                .list(request(head(BRANCH), 10, ""), UNRESTRICTED)
                .entries();
        List<Entry> seen = page.toList();

        Map<ContentKey, Optional<Content>> changes = new TreeMap<>();
        contents.keySet().forEach(key -> changes.put(key, Optional.empty()));
        changes.put(ContentKey.of("new"), Optional.of(ReadFixture.table(7)));
        fixture.branch(BRANCH, fixture.commit(first, changes));

        while (page.nextToken().isPresent()) {
            var listed = fixture.entries.list(
                    request(head(BRANCH), 10, page.nextToken().get()), UNRESTRICTED);
            assertThat(listed.reference()).isEqualTo(new Reference.Named(ReferenceKind.BRANCH, BRANCH, first.id()));
            page = listed.entries();
            seen.addAll(page.toList());
        }
        assertThat(seen).extracting(Entry::key).containsExactlyElementsOf(contents.keySet());
        assertThat(fixture.entries
                        .list(request(head(BRANCH), 0, ""), UNRESTRICTED)
                        .entries()
                        .toList())
                .extracting(Entry::key)
                .containsExactly(ContentKey.of("new"));
    }

    @Test
    void theDefaultBranchAndItsNameAreTheSameReference() {
        fixture.branch(BRANCH, fixture.commitOf(ReadFixture.contents(new Random(3), 60)));
        var page =
                fixture.entries.list(request(head("-"), 10, ""), UNRESTRICTED).entries();
        page.toList();
        var listed =
                fixture.entries.list(request(head(BRANCH), 10, page.nextToken().orElseThrow()), UNRESTRICTED);
        assertThat(listed.entries().toList()).hasSize(10);
    }

    @Test
    void aTokenOfAnotherListingIsRefused() {
        Commit commit = fixture.commitOf(ReadFixture.contents(new Random(3), 60));
        Commit other = fixture.commit(commit, Map.of(ContentKey.of("x"), Optional.of(ReadFixture.table(1))));
        fixture.branch(BRANCH, commit);
        fixture.branch("other", commit);
        EntriesRequest asked = new EntriesRequest(
                head(BRANCH),
                new KeySelection(null, ContentKey.of("a"), null, null),
                Detail.ALL,
                "entry.name != 'x'",
                5,
                "");
        var page = fixture.entries.list(asked, UNRESTRICTED).entries();
        page.toList();
        String token = page.nextToken().orElseThrow();
        assertThat(fixture.entries
                        .list(
                                with(
                                        asked,
                                        r -> new EntriesRequest(
                                                r.reference(), r.keys(), r.detail(), r.filter(), 7, token)),
                                UNRESTRICTED)
                        .entries()
                        .toList())
                .hasSize(7);

        List<UnaryOperator<EntriesRequest>> others = List.of(
                r -> new EntriesRequest(head("other"), r.keys(), r.detail(), r.filter(), 5, token),
                r -> new EntriesRequest(at(commit), r.keys(), r.detail(), r.filter(), 5, token),
                r -> new EntriesRequest(
                        new RefSpec(BRANCH, new HashSpec(other.id().toString(), List.of())),
                        r.keys(),
                        r.detail(),
                        r.filter(),
                        5,
                        token),
                r -> new EntriesRequest(r.reference(), KeySelection.ALL, r.detail(), r.filter(), 5, token),
                r -> new EntriesRequest(
                        r.reference(),
                        new KeySelection(null, null, ContentKey.of("a"), null),
                        r.detail(),
                        r.filter(),
                        5,
                        token),
                r -> new EntriesRequest(
                        r.reference(),
                        new KeySelection(new TreeSet<>(), ContentKey.of("a"), null, null),
                        r.detail(),
                        r.filter(),
                        5,
                        token),
                r -> new EntriesRequest(r.reference(), r.keys(), Detail.MINIMAL, r.filter(), 5, token),
                r -> new EntriesRequest(r.reference(), r.keys(), r.detail(), "", 5, token));
        for (UnaryOperator<EntriesRequest> change : others) {
            assertRefused(
                    () -> fixture.entries.list(with(asked, change), UNRESTRICTED),
                    ErrorCode.BAD_REQUEST,
                    "another reference");
        }
    }

    private static EntriesRequest with(EntriesRequest request, UnaryOperator<EntriesRequest> change) {
        return change.apply(request);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "%",
                "AA",
                "AQAAAAAAAAAAAA",
                "2e1cfa82b035c26cbbbdae632cea070514eb8b773f616aaeaf668e2f0be8f10d"
            })
    void aBadTokenIsRefused(String token) {
        fixture.branch(BRANCH, fixture.commitOf(ReadFixture.contents(new Random(3), 60)));
        assertRefused(
                () -> fixture.entries.list(request(head(BRANCH), 5, token), UNRESTRICTED),
                ErrorCode.BAD_REQUEST,
                "page-token");
    }

    @Test
    void aDamagedTokenIsRefusedOrNamesAKey() {
        fixture.branch(BRANCH, fixture.commitOf(ReadFixture.contents(new Random(3), 60)));
        var page =
                fixture.entries.list(request(head(BRANCH), 5, ""), UNRESTRICTED).entries();
        page.toList();
        String token = page.nextToken().orElseThrow();
        for (int length = 1; length < token.length(); length++) {
            String cut = token.substring(0, length);
            try {
                fixture.entries
                        .list(request(head(BRANCH), 5, cut), UNRESTRICTED)
                        .entries()
                        .toList();
            } catch (RefusedException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.BAD_REQUEST);
            }
        }
    }

    @Test
    void Q7_a_filter_that_fails_late_is_refused_before_the_first_item() {
        SortedMap<ContentKey, Content> contents = new TreeMap<>();
        for (int i = 0; i < 3_000; i++) {
            contents.put(ContentKey.of("a", "t" + (10_000 + i)), ReadFixture.table(i));
        }
        contents.put(ContentKey.of("b"), ReadFixture.table(0));
        Commit commit = fixture.commitOf(contents);
        EntriesRequest all =
                new EntriesRequest(at(commit), KeySelection.ALL, Detail.MINIMAL, "entry.keyElements[1] != ''", 0, "");
        assertRefused(() -> fixture.entries.list(all, UNRESTRICTED), ErrorCode.BAD_REQUEST, "index out of bounds");

        EntriesRequest below = new EntriesRequest(
                at(commit),
                KeySelection.ALL,
                Detail.MINIMAL,
                "entry.encodedKey.startsWith('a.') && entry.keyElements[1] != ''",
                2_000,
                "");
        var page = fixture.entries.list(below, UNRESTRICTED).entries();
        assertThat(page.toList()).hasSize(2_000);
        assertThat(page.nextToken()).isPresent();
    }

    @Test
    void unknownReferencesAndHashesAreNotFound() {
        assertRefused(
                () -> fixture.entries.list(request(head("none"), 0, ""), UNRESTRICTED),
                ErrorCode.REFERENCE_NOT_FOUND,
                "none");
        fixture.branch(BRANCH, Commit.NO_ANCESTOR);
        assertRefused(
                () -> fixture.entries.list(
                        request(new RefSpec(BRANCH, new HashSpec("ab".repeat(32), List.of())), 0, ""), UNRESTRICTED),
                ErrorCode.REFERENCE_NOT_FOUND,
                "abab");
    }

    @Test
    void typesAndIdsAreThoseOfTheContents() {
        ContentKey key = ContentKey.of("n");
        Content namespace = ReadFixture.namespace(key);
        Commit commit = fixture.commitOf(Map.of(key, namespace));
        assertThat(fixture.entries
                        .list(request(at(commit), 0, ""), UNRESTRICTED)
                        .entries()
                        .toList())
                .containsExactly(new Entry(key, ContentType.NAMESPACE, namespace.id(), null));
    }

    private static void assertRefused(ThrowingCallable call, ErrorCode code, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(message);
    }
}
