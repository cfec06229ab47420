package org.anabranch.service;

import static org.anabranch.service.ReadFixture.at;
import static org.anabranch.service.ReadFixture.head;
import static org.anabranch.testing.Callers.UNRESTRICTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.anabranch.filter.FilterLimits;
import org.anabranch.filter.Filters;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.model.DiffEntry;
import org.anabranch.model.DiffRequest;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.KeySelection;
import org.anabranch.model.Page;
import org.anabranch.model.RefSpec;
import org.anabranch.model.Reference;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.RefusedException;
import org.anabranch.object.Commit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiffReferencesTest {

    private final ReadFixture fixture = new ReadFixture();

    private static DiffRequest all(RefSpec from, RefSpec to) {
        return new DiffRequest(from, to, KeySelection.ALL, "", 0, "");
    }

    private static List<DiffEntry> expected(
            SortedMap<ContentKey, Content> from, SortedMap<ContentKey, Content> to, KeySelection keys, String filter) {
        var compiled = new Filters(FilterLimits.DEFAULT, InstantSource.system()).diff(filter);
        TreeSet<ContentKey> either = new TreeSet<>(from.keySet());
        either.addAll(to.keySet());
        List<DiffEntry> expected = new ArrayList<>();
        for (ContentKey key : either) {
            boolean wanted = (keys.keys() == null || keys.keys().contains(key))
                    && (keys.prefix() == null || key.startsWith(keys.prefix()));
            Content before = from.get(key);
            Content after = to.get(key);
            boolean same = before == null ? after == null : before.equals(after);
            if (wanted && !same && compiled.test(key)) {
                expected.add(new DiffEntry(key, before, after));
            }
        }
        return expected;
    }

    private List<DiffEntry> pages(DiffRequest request) {
        List<DiffEntry> found = new ArrayList<>();
        DiffRequest next = request;
        while (true) {
            Page<DiffEntry> page = fixture.diffs.diff(next, UNRESTRICTED).diffs();
            List<DiffEntry> items = page.toList();
            found.addAll(items);
            Optional<String> token = page.nextToken();
            if (token.isEmpty()) {
                return found;
            }
            assertThat(items).hasSize(request.maxRecords());
            next = new DiffRequest(
                    request.from(), request.to(), request.keys(), request.filter(), request.maxRecords(), token.get());
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void agreesWithANaiveDiffWhateverThePageSize(long seed) {
        Random random = new Random(seed);
        SortedMap<ContentKey, Content> from = ReadFixture.contents(random, random.nextInt(500));
        SortedMap<ContentKey, Content> to = new TreeMap<>(from);
        to.putAll(ReadFixture.contents(random, random.nextInt(100)));
        to.keySet().removeIf(key -> random.nextInt(10) == 0);
        Commit one = fixture.commitOf(from);
        Commit other = fixture.commitOf(to);
        for (String filter :
                List.of("", "key.namespace == 'a'", "key.encodedKey.startsWith('a.')", "key.name == 'b'")) {
            TreeSet<ContentKey> alone =
                    new TreeSet<>(ReadFixture.contents(random, 50).keySet());
            for (KeySelection keys : List.of(
                    KeySelection.ALL,
                    new KeySelection(null, null, null, ContentKey.of("a")),
                    new KeySelection(alone, null, null, null))) {
                for (int pageSize : new int[] {0, 1 + random.nextInt(9), 100}) {
                    assertThat(pages(new DiffRequest(at(one), at(other), keys, filter, pageSize, "")))
                            .as("%s %s by %d", filter, keys, pageSize)
                            .isEqualTo(expected(from, to, keys, filter));
                }
            }
        }
        assertThat(pages(all(at(other), at(one)))).isEqualTo(expected(to, from, KeySelection.ALL, ""));
        assertThat(pages(all(at(one), at(one)))).isEmpty();
    }

    @Test
    void Q18_all_pages_show_the_commits_of_the_first() {
        Commit one = fixture.commitOf(ReadFixture.contents(new Random(1), 50));
        Commit other = fixture.commitOf(ReadFixture.contents(new Random(2), 50));
        fixture.branch("left", one);
        fixture.branch("right", other);
        List<DiffEntry> whole = pages(all(head("left"), head("right")));

        DiffRequest request = new DiffRequest(head("left"), head("right"), KeySelection.ALL, "", 3, "");
        DiffReferences.Diff first = fixture.diffs.diff(request, UNRESTRICTED);
        List<DiffEntry> seen = first.diffs().toList();
        fixture.branch("left", other);
        fixture.branch("right", one);
        Page<DiffEntry> page = first.diffs();
        while (page.nextToken().isPresent()) {
            DiffReferences.Diff diff = fixture.diffs.diff(
                    new DiffRequest(
                            head("left"),
                            head("right"),
                            KeySelection.ALL,
                            "",
                            3,
                            page.nextToken().get()),
                    UNRESTRICTED);
            assertThat(diff.from()).isEqualTo(new Reference.Named(ReferenceKind.BRANCH, "left", one.id()));
            assertThat(diff.to()).isEqualTo(new Reference.Named(ReferenceKind.BRANCH, "right", other.id()));
            page = diff.diffs();
            seen.addAll(page.toList());
        }
        assertThat(seen).isEqualTo(whole);
    }

    @Test
    void aTokenOfAnotherComparisonIsRefused() {
        Commit one = fixture.commitOf(ReadFixture.contents(new Random(1), 50));
        Commit other = fixture.commitOf(ReadFixture.contents(new Random(2), 50));
        Page<DiffEntry> page = fixture.diffs
                .diff(new DiffRequest(at(one), at(other), KeySelection.ALL, "", 3, ""), UNRESTRICTED)
                .diffs();
        page.toList();
        String token = page.nextToken().orElseThrow();
        for (DiffRequest wrong : List.of(
                new DiffRequest(at(other), at(one), KeySelection.ALL, "", 3, token),
                new DiffRequest(at(one), at(one), KeySelection.ALL, "", 3, token),
                new DiffRequest(at(one), at(other), KeySelection.ALL, "true", 3, token),
                new DiffRequest(
                        at(one), at(other), new KeySelection(null, null, null, ContentKey.of("a")), "", 3, token),
                new DiffRequest(at(one), at(other), KeySelection.ALL, "", 3, "nonsense"))) {
            assertThatThrownBy(() -> fixture.diffs.diff(wrong, UNRESTRICTED))
                    .isInstanceOfSatisfying(
                            RefusedException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_REQUEST))
                    .hasMessageContaining("page-token");
        }
    }

    @Test
    void aRenameIsARemovalAndAnAddition() {
        ContentKey old = ContentKey.of("old");
        ContentKey young = ContentKey.of("young");
        Commit before = fixture.commitOf(Map.of(old, ReadFixture.table(1)));
        Commit after = fixture.commit(before, Map.of(old, Optional.empty(), young, Optional.of(ReadFixture.table(1))));
        assertThat(pages(all(at(before), at(after))))
                .containsExactly(
                        new DiffEntry(old, ReadFixture.table(1), null),
                        new DiffEntry(young, null, ReadFixture.table(1)));
    }

    @Test
    void changeAndBackIsNoDifference() {
        ContentKey key = ContentKey.of("t");
        Commit before = fixture.commitOf(Map.of(key, ReadFixture.table(1)));
        Commit between = fixture.commit(before, Map.of(key, Optional.of(ReadFixture.table(2))));
        Commit after = fixture.commit(between, Map.of(key, Optional.of(ReadFixture.table(1))));
        assertThat(pages(all(at(before), at(after)))).isEmpty();
    }

    @Test
    void aDiffWithNoAncestorListsEverything() {
        SortedMap<ContentKey, Content> contents = ReadFixture.contents(new Random(5), 200);
        Commit commit = fixture.commitOf(contents);
        assertThat(pages(all(at(Commit.NO_ANCESTOR), at(commit))))
                .isEqualTo(expected(new TreeMap<>(), contents, KeySelection.ALL, ""));
    }
}
