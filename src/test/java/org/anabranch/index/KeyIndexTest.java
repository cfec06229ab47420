package org.anabranch.index;

import static org.anabranch.index.IndexFixture.applyTo;
import static org.anabranch.index.IndexFixture.entries;
import static org.anabranch.index.IndexFixture.entry;
import static org.anabranch.index.IndexFixture.key;
import static org.anabranch.index.IndexFixture.puts;
import static org.anabranch.index.IndexFixture.randomEdits;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.object.Commit;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.Tree;
import org.anabranch.testing.RowCommits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyIndexTest {

    private final IndexFixture fixture = new IndexFixture();
    private final KeyIndex index = fixture.index;

    @ParameterizedTest(name = "{0} keys")
    @ValueSource(ints = {0, 1, 2, 14, 15, 60, 61, 500, 4000})
    void agreesWithASortedMap(int size) {
        SortedMap<IndexKey, IndexEntry> model = new TreeMap<>();
        entries(2 * size).forEach((key, entry) -> {
            if (model.size() < size && key.hashCode() % 2 == 0 || model.size() < size / 2) {
                model.put(key, entry);
            }
        });
        Tree tree = fixture.build(model);
        assertThat(tree.count()).isEqualTo(model.size());
        assertThat(list(index.range(tree, KeyRange.ALL))).isEqualTo(List.copyOf(model.values()));
        assertThat(index.findAll(tree, entries(2 * size).keySet())).isEqualTo(model);

        Random random = new Random(size);
        for (int i = 0; i < 200; i++) {
            IndexKey one = key(random.nextInt(2 * size + 3));
            assertThat(index.find(tree, one)).isEqualTo(Optional.ofNullable(model.get(one)));
            IndexKey other = random.nextInt(4) == 0 ? one.afterAllBelow() : key(random.nextInt(2 * size + 3));
            KeyRange range = new KeyRange(random.nextInt(5) == 0 ? null : one, random.nextInt(5) == 0 ? null : other);
            List<IndexEntry> expected = within(model, range);
            assertThat(list(index.range(tree, range))).isEqualTo(expected);
            assertThat(index.count(tree, range)).isEqualTo(expected.size());
        }
    }

    /** Keys that go from the front, from the back and from in between, some of them a leaf of their own by then, and come back. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void absentSinceIsNotBeforeTheKeyWent(long seed) {
        Random random = new Random(seed);
        RowCommits rows = new RowCommits();
        List<ContentKey> all = new ArrayList<>();
        Map<ContentKey, Optional<Content>> puts = new TreeMap<>();
        for (int i = 0; i < 500; i++) {
            all.add(ContentKey.of(String.format("k%03d", i)));
            puts.put(all.get(i), Optional.of(RowCommits.table(i, 1)));
        }
        Commit head = rows.commit(Commit.NO_ANCESTOR, puts);
        TreeSet<ContentKey> present = new TreeSet<>(all);
        Map<ContentKey, Long> changed = new TreeMap<>();
        for (int i = 0; i < 450; i++) {
            ContentKey any = all.get(random.nextInt(all.size()));
            ContentKey key =
                    switch (random.nextInt(4)) {
                        case 0 -> present.first();
                        case 1 -> present.last();
                        case 2 -> Optional.ofNullable(present.ceiling(any)).orElse(present.first());
                        default -> any;
                    };
            boolean goes = present.contains(key) && random.nextInt(4) > 0;
            head = rows.commit(head, Map.of(key, goes ? Optional.empty() : Optional.of(RowCommits.table(i, 2))));
            changed.put(key, head.number());
            if (goes) {
                present.remove(key);
                assertThat(rows.index().absentSince(head.tree(), IndexKey.of(key)))
                        .as(key.toString())
                        .isEqualTo(head.number());
            } else {
                present.add(key);
            }
        }
        for (ContentKey key : all) {
            if (!present.contains(key)) {
                assertThat(rows.index().absentSince(head.tree(), IndexKey.of(key)))
                        .as(key.toString())
                        .isGreaterThanOrEqualTo(changed.get(key));
            }
        }
    }

    @Test
    void aNamespaceIsOneRange() {
        SortedMap<IndexKey, IndexEntry> model = entries(1000);
        for (String name : List.of("ns07", "ns070", "ns07\u00e9", "ns07\ud83d\ude00", "ns07\uffee", "ns")) {
            IndexKey key = IndexKey.of(ContentKey.of(name));
            model.put(key, entry(key, 1, 0));
            IndexKey below = IndexKey.of(ContentKey.of(name, "x", "y"));
            model.put(below, entry(below, 1, 0));
        }
        Tree tree = fixture.build(model);
        ContentKey namespace = ContentKey.of("ns07");
        List<ContentKey> expected = new ArrayList<>(new TreeSet<>(model.keySet().stream()
                .map(IndexKey::toContentKey)
                .filter(key -> key.startsWith(namespace))
                .toList()));
        assertThat(expected).hasSize(12);
        KeyRange range = KeyRange.keyAndBelow(IndexKey.of(namespace));
        assertThat(list(index.range(tree, range)))
                .extracting(entry -> entry.key().toContentKey())
                .isEqualTo(expected);
        assertThat(index.count(tree, range)).isEqualTo(12);
        assertThat(index.count(tree, KeyRange.below(IndexKey.of(namespace)))).isEqualTo(11);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void diffIsExactlyWhatDiffersAndAppliedItLeadsToTheOtherSide(long seed) {
        Random random = new Random(seed);
        int keys = new int[] {30, 300, 3000}[random.nextInt(3)];
        SortedMap<IndexKey, IndexEntry> a = new TreeMap<>();
        applyTo(a, randomEdits(random, keys, keys, 1));
        Tree from = fixture.build(a);
        SortedMap<IndexKey, IndexEntry> b = new TreeMap<>(a);
        Tree to = from;
        for (int step = 0; step < 4; step++) {
            SortedMap<IndexKey, Optional<IndexEntry>> edits =
                    randomEdits(random, new int[] {1, 10, 400}[random.nextInt(3)], keys, 2 + step);
            applyTo(b, edits);
            to = fixture.edit(to, edits);
            assertThat(list(index.diff(from, to, KeyRange.ALL))).isEqualTo(differing(a, b, KeyRange.ALL));
            assertThat(list(index.diff(to, from, KeyRange.ALL))).isEqualTo(differing(b, a, KeyRange.ALL));
            for (int i = 0; i < 20; i++) {
                KeyRange range = new KeyRange(
                        random.nextInt(4) == 0 ? null : key(random.nextInt(keys)),
                        random.nextInt(4) == 0 ? null : key(random.nextInt(keys)));
                assertThat(list(index.diff(from, to, range))).isEqualTo(differing(a, b, range));
            }
            for (int i = 0; i < 20; i++) {
                List<KeyRange> ranges = randomRanges(random, keys);
                KeyRanges some = place -> ranges.stream()
                        .filter(range -> range.endingBehind(place) != null)
                        .findFirst()
                        .orElse(null);
                assertThat(list(index.diff(from, to, some)))
                        .isEqualTo(ranges.stream()
                                .flatMap(range -> differing(a, b, range).stream())
                                .toList());
            }
            SortedMap<IndexKey, Optional<IndexEntry>> delta = new TreeMap<>();
            index.diff(from, to, KeyRange.ALL)
                    .forEachRemaining(diff -> delta.put(diff.key(), Optional.ofNullable(diff.to())));
            assertThat(fixture.edit(from, delta).sum()).isEqualTo(to.sum());
            assertThat(index.diff(to, to, KeyRange.ALL)).isExhausted();
        }
        assertThat(list(index.diff(Tree.EMPTY, from, KeyRange.ALL))).hasSize(a.size());
        assertThat(list(index.diff(from, Tree.EMPTY, KeyRange.ALL))).hasSize(a.size());
    }

    /** Ascending and disjoint, some of them next to each other, some without keys; perhaps none. */
    private static List<KeyRange> randomRanges(Random random, int keys) {
        TreeSet<IndexKey> bounds = new TreeSet<>();
        int most = random.nextInt(60);
        for (int i = 0; i < most; i++) {
            IndexKey key = key(random.nextInt(keys + 10));
            bounds.add(random.nextBoolean() ? key : key.next());
        }
        List<KeyRange> ranges = new ArrayList<>();
        IndexKey from = null;
        for (IndexKey until : bounds) {
            if (random.nextInt(3) > 0) {
                ranges.add(new KeyRange(from, until));
            }
            from = until;
        }
        if (random.nextBoolean()) {
            ranges.add(new KeyRange(from, null));
        }
        return ranges;
    }

    @Test
    void seqAloneIsNoDifferenceAndIsNotRead() {
        Tree tree = fixture.build(entries(5000));
        SortedMap<IndexKey, IndexEntry> later = new TreeMap<>();
        entries(5000)
                .forEach((key, entry) ->
                        later.put(key, new IndexEntry(key, entry.type(), entry.contentId(), 9, entry.content())));
        Tree again = fixture.edit(tree, puts(later));
        fixture.heap.resetCounts();
        assertThat(index.diff(tree, again, KeyRange.ALL)).isExhausted();
        assertThat(fixture.heap.nodesRead()).isZero();
    }

    @Test
    void readsGrowWithTheDepthOrTheChangeAndNotWithTheIndex() {
        List<Integer> diffReads = new ArrayList<>();
        for (int size : List.of(1_000, 10_000, 100_000)) {
            Tree tree = fixture.build(entries(size));
            Random random = new Random(3);
            SortedMap<IndexKey, Optional<IndexEntry>> edits = new TreeMap<>();
            for (int i = 0; i < 4; i++) {
                IndexKey changed = key(random.nextInt(size));
                edits.put(changed, Optional.of(entry(changed, 2, -1)));
                edits.put(key(random.nextInt(size)), Optional.empty());
                IndexKey added = IndexKey.of(ContentKey.of("ns" + (10 + i), "new"));
                edits.put(added, Optional.of(entry(added, 2, 0)));
            }
            Tree to = fixture.edit(tree, edits);
            fixture.heap.resetCounts();
            assertThat(list(index.diff(tree, to, KeyRange.ALL))).hasSize(12);
            int depth = tree.level() + 1;
            assertThat(fixture.heap.nodesRead()).isLessThanOrEqualTo(2 * 12 * depth);
            diffReads.add(fixture.heap.nodesRead());

            fixture.heap.resetCounts();
            assertThat(index.count(tree, KeyRange.keyAndBelow(IndexKey.of(ContentKey.of("ns42")))))
                    .isEqualTo(size / 100);
            assertThat(fixture.heap.nodesRead()).isLessThanOrEqualTo(2 * depth);

            fixture.heap.resetCounts();
            assertThat(index.findAll(tree, edits.keySet())).hasSize(8);
            assertThat(fixture.heap.trips()).isEqualTo(depth);

            fixture.heap.resetCounts();
            Iterator<IndexEntry> range = index.range(tree, KeyRange.ALL);
            range.next();
            assertThat(fixture.heap.nodesRead()).isEqualTo(depth);
        }
        assertThat(diffReads.get(2)).isLessThan(2 * diffReads.get(1));
    }

    private static List<IndexEntry> within(SortedMap<IndexKey, IndexEntry> model, KeyRange range) {
        return model.values().stream()
                .filter(entry -> range.from() == null || entry.key().compareTo(range.from()) >= 0)
                .filter(entry -> range.until() == null || entry.key().compareTo(range.until()) < 0)
                .toList();
    }

    private static List<EntryDiff> differing(
            SortedMap<IndexKey, IndexEntry> a, SortedMap<IndexKey, IndexEntry> b, KeyRange range) {
        TreeSet<IndexKey> keys = new TreeSet<>(a.keySet());
        keys.addAll(b.keySet());
        List<EntryDiff> differing = new ArrayList<>();
        for (IndexKey key : keys) {
            IndexEntry one = a.get(key);
            IndexEntry other = b.get(key);
            boolean inRange = (range.from() == null || key.compareTo(range.from()) >= 0)
                    && (range.until() == null || key.compareTo(range.until()) < 0);
            if (inRange && (one == null || other == null || !one.hasSameValueAs(other))) {
                differing.add(new EntryDiff(key, one, other));
            }
        }
        return differing;
    }

    private static <T> List<T> list(Iterator<T> iterator) {
        List<T> list = new ArrayList<>();
        iterator.forEachRemaining(list::add);
        return list;
    }
}
