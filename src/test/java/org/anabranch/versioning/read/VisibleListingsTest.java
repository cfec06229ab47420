package org.anabranch.versioning.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.anabranch.dag.CommitGraph;
import org.anabranch.filter.FilterLimits;
import org.anabranch.filter.Filters;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.ChangeKind;
import org.anabranch.model.ChangedEntry;
import org.anabranch.model.ChildrenRequest;
import org.anabranch.model.CommitId;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.Detail;
import org.anabranch.model.DiffEntry;
import org.anabranch.model.DiffRequest;
import org.anabranch.model.EntriesRequest;
import org.anabranch.model.Entry;
import org.anabranch.model.HashSpec;
import org.anabranch.model.HistoryRequest;
import org.anabranch.model.KeyHistoryEntry;
import org.anabranch.model.KeyHistoryRequest;
import org.anabranch.model.KeySelection;
import org.anabranch.model.LogEntry;
import org.anabranch.model.Operation;
import org.anabranch.model.Page;
import org.anabranch.model.RefSpec;
import org.anabranch.model.VisibleKeys;
import org.anabranch.object.Commit;
import org.anabranch.testing.RandomHistory;
import org.anabranch.testing.RandomVisibleKeys;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.refs.References;
import org.anabranch.versioning.refs.ResolvedReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a listing shows to who may see some keys is what it would show of a catalog that holds nothing else, in full pages of any
 * size: over random histories, and random ranges of keys that show everything or what a coin says.
 */
class VisibleListingsTest {

    private static final RefSpec MAIN = new RefSpec(TestCatalog.MAIN, HashSpec.HEAD);
    private static final RefSpec SIDE = new RefSpec("side", HashSpec.HEAD);
    private static final int[] PAGE_SIZES = {0, 1, 2, 5};
    private static final int ROUNDS = 12;

    private final TestCatalog catalog = new TestCatalog();
    private final CommitGraph graph = new CommitGraph(catalog.objects());
    private final KeyIndex index = new KeyIndex(catalog.objects());
    private final Filters filters = new Filters(FilterLimits.DEFAULT, InstantSource.system());
    private final References references = new References(catalog.store(), catalog.objects(), graph, TestCatalog.MAIN);
    private final EntryReader entries = new EntryReader(graph, index, catalog.objects(), filters);
    private final ChildReader children = new ChildReader(graph, index, catalog.objects());
    private final ContentReader contents = new ContentReader(index, catalog.objects());
    private final DiffReader diffs = new DiffReader(index, catalog.objects(), filters);
    private final HistoryReader histories = new HistoryReader(references, graph, index, catalog.objects(), filters);
    private final KeyHistoryReader keyHistories = new KeyHistoryReader(graph, index, catalog.objects());

    private Random random = new Random();
    private ResolvedReference main = at(TestCatalog.MAIN);

    private void grow(long seed) {
        random = new Random(seed);
        RandomHistory history = new RandomHistory(catalog, random);
        history.grow(TestCatalog.MAIN, TestCatalog.MAIN, 2);
        history.fill(TestCatalog.MAIN, 80);
        catalog.branch("side", TestCatalog.MAIN);
        history.grow(TestCatalog.MAIN, "side", 60);
        main = at(TestCatalog.MAIN);
    }

    private ResolvedReference at(String branch) {
        return new ResolvedReference(catalog.row(branch), catalog.commit(catalog.head(branch)));
    }

    private VisibleKeys visible() {
        Set<ContentKey> keys = new TreeSet<>(RandomHistory.KEYS);
        keys.addAll(catalog.contents(TestCatalog.MAIN).keySet());
        return RandomVisibleKeys.of(random, keys);
    }

    private static SortedMap<ContentKey, Content> seen(Map<ContentKey, Content> contents, VisibleKeys visible) {
        SortedMap<ContentKey, Content> seen = new TreeMap<>(contents);
        seen.entrySet()
                .removeIf(
                        entry -> !visible.shows(entry.getKey(), entry.getValue().type()));
        return seen;
    }

    /** All pages of a listing, each of which is full, and of which none but the only one is empty. */
    private static <T> List<T> pages(int size, Function<String, Page<T>> read) {
        List<T> all = new ArrayList<>();
        String token = "";
        do {
            Page<T> page = read.apply(token);
            List<T> items = page.toList();
            token = page.nextToken().orElse("");
            if (!token.isEmpty()) {
                assertThat(items).hasSize(size);
            } else if (!all.isEmpty()) {
                assertThat(items).isNotEmpty();
            }
            all.addAll(items);
        } while (!token.isEmpty());
        return all;
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void entriesAndLastChanges(long seed) {
        grow(seed);
        for (int round = 0; round < ROUNDS; round++) {
            VisibleKeys visible = visible();
            ContentKey some = RandomHistory.KEYS.get(random.nextInt(RandomHistory.KEYS.size()));
            ContentKey other = RandomHistory.KEYS.get(random.nextInt(RandomHistory.KEYS.size()));
            for (KeySelection keys : List.of(
                    KeySelection.ALL,
                    new KeySelection(null, null, null, some),
                    new KeySelection(null, some, null, null),
                    new KeySelection(null, null, some, null),
                    new KeySelection(new TreeSet<>(List.of(some, other)), null, null, null))) {
                for (String filter : List.of("", "size(entry.keyElements) == 1", "entry.key.startsWith('f1')")) {
                    List<ChangedEntry> expected = pages(
                                    0,
                                    token -> entries.changedPage(
                                            main, request(keys, Detail.ALL, filter, 0, token), VisibleKeys.ALL))
                            .stream()
                            .filter(changed -> visible.shows(
                                    changed.entry().key(), changed.entry().type()))
                            .toList();
                    for (int size : PAGE_SIZES) {
                        assertThat(pages(
                                        size,
                                        token -> entries.changedPage(
                                                main, request(keys, Detail.ALL, filter, size, token), visible)))
                                .isEqualTo(expected);
                        assertThat(pages(
                                        size,
                                        token -> entries.page(
                                                main, request(keys, Detail.ALL, filter, size, token), visible)))
                                .isEqualTo(expected.stream()
                                        .map(ChangedEntry::entry)
                                        .toList());
                    }
                }
            }
        }
    }

    private static EntriesRequest request(KeySelection keys, Detail detail, String filter, int size, String token) {
        return new EntriesRequest(MAIN, keys, detail, filter, size, token);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void childrenCountsAndContents(long seed) {
        grow(seed);
        List<@Nullable ContentKey> parents = new ArrayList<>(RandomHistory.KEYS);
        parents.add(null);
        for (int round = 0; round < ROUNDS; round++) {
            VisibleKeys visible = visible();
            SortedMap<ContentKey, Content> seen = seen(catalog.contents(TestCatalog.MAIN), visible);
            for (ContentKey parent : parents) {
                List<ContentKey> below = seen.keySet().stream()
                        .filter(key -> parent == null || key.startsWith(parent) && !key.equals(parent))
                        .toList();
                assertThat(children.count(main.commit(), parent, visible)).isEqualTo(below.size());
                List<ContentKey> direct = below.stream()
                        .filter(key -> key.parent().equals(Optional.ofNullable(parent)))
                        .toList();
                for (int size : PAGE_SIZES) {
                    List<ChangedEntry> shown = pages(
                            size,
                            token -> children.page(
                                    main, new ChildrenRequest(MAIN, parent, Detail.ALL, size, token), visible));
                    assertThat(shown)
                            .extracting(changed -> changed.entry().key())
                            .isEqualTo(direct);
                }
            }
            Collection<ContentKey> asked = RandomHistory.KEYS;
            List<Entry> expected = seen.entrySet().stream()
                    .filter(entry -> asked.contains(entry.getKey()))
                    .map(entry -> entry(entry.getKey(), entry.getValue()))
                    .toList();
            assertThat(contents.read(main.commit(), asked, visible).toList()).isEqualTo(expected);
            assertThat(contents.types(main.commit(), asked, visible))
                    .hasSize(expected.size())
                    .allSatisfy((key, type) ->
                            assertThat(type).isEqualTo(seen.get(key).type()));
        }
    }

    private static Entry entry(ContentKey key, Content content) {
        return new Entry(key, content.type(), Objects.requireNonNull(content.id()), content);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void diffsCompareWhatIsSeenOfBothSides(long seed) {
        grow(seed);
        ResolvedReference side = at("side");
        Map<ContentKey, Content> from = catalog.contents("side");
        Map<ContentKey, Content> to = catalog.contents(TestCatalog.MAIN);
        for (int round = 0; round < 3 * ROUNDS; round++) {
            VisibleKeys one = visible();
            DiffReader.Visible visible = new DiffReader.Visible(one, random.nextInt(3) == 0 ? one : visible());
            List<DiffEntry> expected = naiveDiff(from, to, visible);
            for (int size : PAGE_SIZES) {
                assertThat(pages(
                                size,
                                token -> diffs.page(
                                        new DiffReader.Sides(side, main),
                                        new DiffRequest(SIDE, MAIN, KeySelection.ALL, "", size, token),
                                        visible)))
                        .isEqualTo(expected);
            }
            KeySelection some = new KeySelection(new TreeSet<>(RandomHistory.KEYS), null, null, null);
            assertThat(pages(
                            2,
                            token -> diffs.page(
                                    new DiffReader.Sides(side, main),
                                    new DiffRequest(SIDE, MAIN, some, "key.name != 'b'", 2, token),
                                    visible)))
                    .isEqualTo(expected.stream()
                            .filter(diff -> RandomHistory.KEYS.contains(diff.key())
                                    && !diff.key().name().equals("b"))
                            .toList());
        }
    }

    private static List<DiffEntry> naiveDiff(
            Map<ContentKey, Content> from, Map<ContentKey, Content> to, DiffReader.Visible visible) {
        SortedMap<ContentKey, Content> ones = seen(from, visible.from());
        SortedMap<ContentKey, Content> others = seen(to, visible.to());
        Set<ContentKey> keys = new TreeSet<>(ones.keySet());
        keys.addAll(others.keySet());
        List<DiffEntry> diffs = new ArrayList<>();
        for (ContentKey key : keys) {
            Content one = ones.get(key);
            Content other = others.get(key);
            boolean canBeTold = one != null
                    ? other != null || visible.to().shows(key, one.type())
                    : visible.from().shows(key, other.type());
            if (canBeTold && !Objects.equals(one, other)) {
                diffs.add(new DiffEntry(key, one, other));
            }
        }
        return diffs;
    }

    /** A commit of a log with all its operations. */
    private record Logged(CommitId id, List<Operation> operations) {

        private static Logged of(LogEntry entry) {
            List<Operation> operations = new ArrayList<>();
            Iterator<Operation> shown = entry.operations();
            if (shown != null) {
                shown.forEachRemaining(operations::add);
            }
            return new Logged(entry.commit().id(), operations);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void operationsAreHiddenBeforeFiltersSeeThem(long seed) {
        grow(seed);
        for (int round = 0; round < ROUNDS; round++) {
            VisibleKeys visible = visible();
            List<Logged> expected = naiveLog(visible);
            for (int size : new int[] {250, 7, 1}) {
                assertThat(log("", size, visible)).isEqualTo(expected);
                assertThat(log("operations.exists(op, op.type == 'DELETE')", size, visible))
                        .isEqualTo(expected.stream()
                                .filter(logged -> logged.operations().stream()
                                        .anyMatch(operation -> operation instanceof Operation.Delete))
                                .toList());
            }
        }
    }

    private List<Logged> log(String filter, int size, VisibleKeys visible) {
        List<Logged> all = new ArrayList<>();
        String token = "";
        do {
            HistoryRequest request = new HistoryRequest(MAIN, Detail.ALL, null, filter, size, token);
            Page<LogEntry> page = histories.page(histories.pinned(main, request), request, visible);
            while (page.hasNext()) {
                all.add(Logged.of(page.next()));
            }
            token = page.nextToken().orElse("");
        } while (!token.isEmpty());
        return all;
    }

    private List<Logged> naiveLog(VisibleKeys visible) {
        List<Logged> log = new ArrayList<>();
        for (Commit commit : catalog.log(TestCatalog.MAIN)) {
            SortedMap<ContentKey, Content> before =
                    seen(catalog.contents(commit.parents().get(0).id()), visible);
            SortedMap<ContentKey, Content> after = seen(catalog.contents(commit.id()), visible);
            List<Operation> deletions = new ArrayList<>();
            List<Operation> puts = new ArrayList<>();
            catalog.objects().operations(commit).forEach(operation -> {
                ContentKey key = operation.key().toContentKey();
                if (after.containsKey(key)) {
                    puts.add(new Operation.Put(key, after.get(key)));
                } else if (before.containsKey(key)) {
                    deletions.add(new Operation.Delete(key));
                }
            });
            deletions.addAll(puts);
            log.add(new Logged(commit.id(), deletions));
        }
        return log;
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void historiesOfKeys(long seed) {
        grow(seed);
        for (int round = 0; round < ROUNDS / 2; round++) {
            VisibleKeys visible = visible();
            for (ContentKey key : RandomHistory.KEYS) {
                List<KeyHistoryEntry> expected = naiveHistory(key, visible);
                for (int size : new int[] {250, 3, 1}) {
                    assertThat(pages(size, token -> {
                                KeyHistoryRequest request = new KeyHistoryRequest(MAIN, key, Detail.ALL, size, token);
                                return keyHistories.page(keyHistories.pinned(main, request), request, visible);
                            }))
                            .as("%s by %d", key, size)
                            .isEqualTo(expected);
                }
            }
        }
    }

    private List<KeyHistoryEntry> naiveHistory(ContentKey asked, VisibleKeys visible) {
        List<KeyHistoryEntry> history = new ArrayList<>();
        ContentKey key = asked;
        for (Commit commit : catalog.log(TestCatalog.MAIN)) {
            ContentKey at = key;
            if (catalog.objects().operations(commit).stream()
                    .noneMatch(operation -> operation.key().toContentKey().equals(at))) {
                continue;
            }
            SortedMap<ContentKey, Content> before =
                    seen(catalog.contents(commit.parents().get(0).id()), visible);
            SortedMap<ContentKey, Content> after = seen(catalog.contents(commit.id()), visible);
            Content old = before.get(key);
            Content put = after.get(key);
            if (put == null) {
                if (old != null) {
                    history.add(entry(commit, key, ChangeKind.DELETED, null, holder(after, old), old, null));
                }
            } else if (old != null && Objects.equals(old.id(), put.id())) {
                history.add(entry(commit, key, ChangeKind.UPDATED, null, null, put, put));
            } else {
                ContentKey from = holder(before, put);
                ChangeKind kind =
                        from != null ? ChangeKind.RENAMED : old == null ? ChangeKind.CREATED : ChangeKind.REPLACED;
                history.add(entry(commit, key, kind, from, null, put, put));
                key = from == null ? key : from;
            }
        }
        return history;
    }

    private static @Nullable ContentKey holder(Map<ContentKey, Content> contents, Content content) {
        return contents.entrySet().stream()
                .filter(entry -> Objects.equals(entry.getValue().id(), content.id()))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }

    private static KeyHistoryEntry entry(
            Commit commit,
            ContentKey key,
            ChangeKind kind,
            @Nullable ContentKey from,
            @Nullable ContentKey to,
            Content content,
            @Nullable Content held) {
        ContentId id = Objects.requireNonNull(content.id());
        return new KeyHistoryEntry(commit.header(), key, kind, from, to, id, held);
    }
}
