package org.anabranch.service;

import static org.anabranch.service.KeyFixture.MAIN;
import static org.anabranch.testing.Callers.UNRESTRICTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.anabranch.model.ChangeKind;
import org.anabranch.model.ChangedEntry;
import org.anabranch.model.ChildrenRequest;
import org.anabranch.model.CommitId;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.Detail;
import org.anabranch.model.EntriesRequest;
import org.anabranch.model.Entry;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.KeyHistoryEntry;
import org.anabranch.model.KeySelection;
import org.anabranch.model.Page;
import org.anabranch.model.RefusedException;
import org.anabranch.object.Commit;
import org.anabranch.object.KeyOperation;
import org.anabranch.testing.RandomHistory;
import org.anabranch.testing.TestCatalog;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is told of keys and their past agrees with a scan of the whole log, over random histories. */
class KeyLawsTest {

    private final KeyFixture fixture = new KeyFixture();
    private final TestCatalog catalog = fixture.catalog;

    /** What a scan knows of a commit. */
    private record Scanned(
            Commit commit,
            SortedMap<ContentKey, Content> before,
            SortedMap<ContentKey, Content> after,
            Set<ContentKey> operated) {}

    /** The whole log, newest first. */
    private List<Scanned> scan() {
        List<Scanned> scanned = new ArrayList<>();
        for (Commit commit : catalog.log(TestCatalog.MAIN)) {
            Set<ContentKey> operated = new HashSet<>();
            for (KeyOperation operation : catalog.objects().operations(commit)) {
                operated.add(operation.key().toContentKey());
            }
            CommitId parent = commit.parents().get(0).id();
            scanned.add(new Scanned(commit, catalog.contents(parent), catalog.contents(commit.id()), operated));
        }
        return scanned;
    }

    private static List<KeyHistoryEntry> naiveHistory(List<Scanned> log, ContentKey asked) {
        List<KeyHistoryEntry> history = new ArrayList<>();
        ContentKey key = asked;
        for (Scanned one : log) {
            if (!one.operated().contains(key)) {
                continue;
            }
            Content before = one.before().get(key);
            Content after = one.after().get(key);
            if (after == null) {
                Optional<ContentKey> to = holder(one.after(), before.id());
                history.add(entry(one, key, ChangeKind.DELETED, null, to.orElse(null), before.id(), null));
            } else if (before != null && before.id().equals(after.id())) {
                history.add(entry(one, key, ChangeKind.UPDATED, null, null, after.id(), after));
            } else {
                Optional<ContentKey> from = holder(one.before(), after.id());
                ChangeKind kind = from.isPresent()
                        ? ChangeKind.RENAMED
                        : before == null ? ChangeKind.CREATED : ChangeKind.REPLACED;
                history.add(entry(one, key, kind, from.orElse(null), null, after.id(), after));
                key = from.orElse(key);
            }
        }
        return history;
    }

    private static KeyHistoryEntry entry(
            Scanned one,
            ContentKey key,
            ChangeKind kind,
            @Nullable ContentKey from,
            @Nullable ContentKey to,
            ContentId id,
            @Nullable Content content) {
        return new KeyHistoryEntry(one.commit().header(), key, kind, from, to, id, content);
    }

    private static Optional<ContentKey> holder(Map<ContentKey, Content> contents, ContentId id) {
        return contents.entrySet().stream()
                .filter(entry -> entry.getValue().id().equals(id))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    @ParameterizedTest(name = "seed {0}, {1} other keys")
    @CsvSource({
        "1,0", "2,0", "3,0", "4,0", "5,3", "6,3", "7,20", "8,20", "9,100", "10,100", "11,100", "12,800", "13,800"
    })
    void historyLastChangesChildrenAndCounts(long seed, int otherKeys) {
        Random random = new Random(seed);
        RandomHistory history = new RandomHistory(catalog, random);
        history.grow(TestCatalog.MAIN, TestCatalog.MAIN, 2);
        history.fill(TestCatalog.MAIN, otherKeys);
        catalog.branch("side", TestCatalog.MAIN);
        history.grow(TestCatalog.MAIN, "side", 120);
        List<Scanned> log = scan();

        Set<ChangeKind> kinds = new HashSet<>();
        for (ContentKey key : RandomHistory.KEYS) {
            List<KeyHistoryEntry> expected = naiveHistory(log, key);
            expected.forEach(entry -> kinds.add(entry.change()));
            if (expected.isEmpty()) {
                continue;
            }
            for (int pageSize : new int[] {250, 7, 1}) {
                assertThat(fixture.history(key, Detail.ALL, pageSize))
                        .as("%s by %d", key, pageSize)
                        .isEqualTo(expected);
            }
        }
        assertThat(kinds).containsExactlyInAnyOrder(ChangeKind.values());
        assertThatThrownBy(() -> fixture.history(ContentKey.of("never", "there"), Detail.MINIMAL, 1))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.CONTENT_NOT_FOUND));

        List<ChangedEntry> all = naiveEntries(log);
        assertThat(entries(0)).isEqualTo(all);
        assertThat(entries(3)).isEqualTo(all);
        for (ContentKey parent : RandomHistory.KEYS) {
            checkBelow(all, parent);
        }
        checkBelow(all, null);
    }

    private static List<ChangedEntry> naiveEntries(List<Scanned> log) {
        List<ChangedEntry> entries = new ArrayList<>();
        log.get(0).after().forEach((key, content) -> {
            Scanned last = log.stream()
                    .filter(one -> one.operated().contains(key))
                    .findFirst()
                    .orElseThrow();
            entries.add(new ChangedEntry(
                    new Entry(key, content.type(), content.id(), content),
                    last.commit().header()));
        });
        return entries;
    }

    private List<ChangedEntry> entries(int pageSize) {
        List<ChangedEntry> entries = new ArrayList<>();
        String token = "";
        do {
            Page<ChangedEntry> page = fixture.entries
                    .list(new EntriesRequest(MAIN, KeySelection.ALL, Detail.ALL, "", pageSize, token), UNRESTRICTED)
                    .entries();
            entries.addAll(page.toList());
            token = page.nextToken().orElse("");
        } while (!token.isEmpty());
        return entries;
    }

    private void checkBelow(List<ChangedEntry> all, @Nullable ContentKey parent) {
        List<ChangedEntry> below = all.stream()
                .filter(changed -> parent == null
                        || changed.entry().key().startsWith(parent)
                                && !changed.entry().key().equals(parent))
                .toList();
        assertThat(fixture.counts.count(MAIN, parent, UNRESTRICTED).count()).isEqualTo(below.size());
        Map<Optional<ContentKey>, List<ChangedEntry>> byParent =
                new TreeMap<>((one, other) -> one.map(ContentKey::toString)
                        .orElse("")
                        .compareTo(other.map(ContentKey::toString).orElse("")));
        below.forEach(changed -> byParent.computeIfAbsent(changed.entry().key().parent(), key -> new ArrayList<>())
                .add(changed));
        List<ChangedEntry> expected = byParent.getOrDefault(Optional.ofNullable(parent), List.of());
        for (int pageSize : new int[] {0, 2}) {
            List<ChangedEntry> children = new ArrayList<>();
            String token = "";
            do {
                Page<ChangedEntry> page = fixture.children
                        .list(new ChildrenRequest(MAIN, parent, Detail.ALL, pageSize, token), UNRESTRICTED)
                        .children();
                children.addAll(page.toList());
                token = page.nextToken().orElse("");
            } while (!token.isEmpty());
            assertThat(children).isEqualTo(expected);
        }
    }
}
