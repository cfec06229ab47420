package org.anabranch.versioning.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.anabranch.dag.CommitGraph;
import org.anabranch.filter.FilterLimits;
import org.anabranch.filter.Filters;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.ChildrenRequest;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.Detail;
import org.anabranch.model.DiffRequest;
import org.anabranch.model.EntriesRequest;
import org.anabranch.model.Entry;
import org.anabranch.model.HashSpec;
import org.anabranch.model.KeyInterval;
import org.anabranch.model.KeySelection;
import org.anabranch.model.Page;
import org.anabranch.model.RefSpec;
import org.anabranch.model.VisibleKeys;
import org.anabranch.object.Commit;
import org.anabranch.testing.CountingReader;
import org.anabranch.testing.RowCommits;
import org.anabranch.versioning.refs.ResolvedReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What listings cost in node reads to who may see some of the keys: what they show and a path for each range, never what is hidden. */
class VisibleCostTest {

    private static final RefSpec AT = new RefSpec(null, HashSpec.HEAD);

    private final RowCommits rows = new RowCommits();
    private final CountingReader reader = new CountingReader(rows::objects);
    private final CommitGraph graph = new CommitGraph(reader);
    private final KeyIndex index = new KeyIndex(reader);
    private final Filters filters = new Filters(FilterLimits.DEFAULT, InstantSource.system());
    private final EntryReader entries = new EntryReader(graph, index, reader, filters);
    private final ChildReader children = new ChildReader(graph, index, reader);
    private final DiffReader diffs = new DiffReader(index, reader, filters);

    /** Some ranges of which everything may be seen. */
    private record Whole(List<KeyInterval> ranges) implements VisibleKeys {

        @Override
        public boolean shows(ContentKey key, ContentType type) {
            return ranges.stream().anyMatch(range -> range.contains(key));
        }

        @Override
        public boolean showsAll(KeyInterval range) {
            return ranges.contains(range);
        }
    }

    /** Some ranges of which each key is asked about, and may be seen. */
    private record Within(List<KeyInterval> ranges) implements VisibleKeys {

        @Override
        public boolean shows(ContentKey key, ContentType type) {
            return true;
        }

        @Override
        public boolean showsAll(KeyInterval range) {
            return false;
        }
    }

    /** Three keys in each of ten namespaces out of a hundred. */
    private static Whole few(int keys) {
        return new Whole(IntStream.range(0, 10)
                .mapToObj(namespace ->
                        IntStream.range(0, 3).mapToObj(n -> RowCommits.key(10 * namespace + 100 * (n * keys / 400))))
                .flatMap(some -> some)
                .map(KeyInterval::only)
                .toList());
    }

    private Commit catalog(int keys) {
        Map<ContentKey, Optional<Content>> contents = new TreeMap<>();
        for (int i = 0; i < keys; i++) {
            contents.put(RowCommits.key(i), Optional.of(RowCommits.table(i, 1)));
        }
        return rows.commit(Commit.NO_ANCESTOR, contents);
    }

    private static ResolvedReference at(Commit commit) {
        return new ResolvedReference(null, commit);
    }

    /** Node reads of the way to a range of one key, whose end can be the beginning of another leaf. */
    private static int path(Commit commit) {
        return commit.tree().level() + 2;
    }

    @ParameterizedTest(name = "{0} keys")
    @ValueSource(ints = {1_000, 10_000, 100_000})
    void hiddenKeysCostNothing(int keys) {
        Commit commit = catalog(keys);
        Whole few = few(keys);
        int ranges = few.ranges().size();
        for (String filter : List.of("", "entry.key.contains('table')", "size(entry.keyElements) < 3")) {
            reader.resetCounts();
            Page<Entry> page = entries.page(
                    at(commit), new EntriesRequest(AT, KeySelection.ALL, Detail.MINIMAL, filter, 0, ""), few);
            assertThat(page.toList()).hasSize(ranges);
            assertThat(reader.nodesRead()).as(filter).isLessThanOrEqualTo(ranges * path(commit));
        }
        reader.resetCounts();
        assertThat(children.count(commit, null, few)).isEqualTo(ranges);
        assertThat(reader.nodesRead()).isLessThanOrEqualTo(2 * ranges * path(commit));
        reader.resetCounts();
        ContentKey namespace = ContentKey.of("ns50");
        assertThat(children.page(at(commit), new ChildrenRequest(AT, namespace, Detail.MINIMAL, 0, ""), few)
                        .toList())
                .hasSize(3);
        assertThat(reader.nodesRead()).isLessThanOrEqualTo(3 * path(commit));
        reader.resetCounts();
        assertThat(children.count(commit, namespace, new Whole(List.of(KeyInterval.below(namespace)))))
                .isEqualTo(keys / 100);
        assertThat(reader.nodesRead()).isLessThanOrEqualTo(2 * path(commit));
    }

    @ParameterizedTest(name = "{0} keys")
    @ValueSource(ints = {1_000, 10_000, 100_000})
    void aPageCostsItsEntriesAndTheWayToTheNextOne(int keys) {
        Commit commit = catalog(keys);
        Whole few = few(keys);
        String token = "";
        for (int n = 0; n < few.ranges().size() - 1; n++) {
            reader.resetCounts();
            Page<Entry> page = entries.page(
                    at(commit), new EntriesRequest(AT, KeySelection.ALL, Detail.MINIMAL, "", 1, token), few);
            assertThat(page.toList()).hasSize(1);
            token = page.nextToken().orElseThrow();
            assertThat(reader.nodesRead()).isLessThanOrEqualTo(2 * path(commit));
        }
    }

    /** Counts which of some intervals are looked at. */
    private static final class CountingIntervals extends AbstractList<KeyInterval> {

        private final List<KeyInterval> intervals;
        private int looks;

        private CountingIntervals(List<KeyInterval> intervals) {
            this.intervals = intervals;
        }

        @Override
        public KeyInterval get(int index) {
            looks++;
            return intervals.get(index);
        }

        @Override
        public int size() {
            return intervals.size();
        }
    }

    @Test
    void rangesWithoutDifferencesCostNothing() {
        int keys = 100_000;
        Commit commit = catalog(keys);
        List<Integer> changed =
                IntStream.range(0, 10).map(n -> 50 + n * keys / 10).boxed().toList();
        Commit other = rows.commit(
                commit,
                changed.stream().collect(Collectors.toMap(RowCommits::key, n -> Optional.of(RowCommits.table(n, 2)))));
        DiffReader.Sides sides = new DiffReader.Sides(at(commit), at(other));
        DiffRequest request = new DiffRequest(AT, AT, KeySelection.ALL, "", 0, "");
        reader.resetCounts();
        assertThat(diffs.page(sides, request, DiffReader.Visible.ALL).toList()).hasSize(10);
        int unrestricted = reader.nodesRead();
        for (int ranges : List.of(10, 1_000, 10_000)) {
            CountingIntervals one = new CountingIntervals(singly(changed, ranges));
            CountingIntervals same = new CountingIntervals(singly(changed, ranges));
            for (List<KeyInterval> to : List.of(one, same)) {
                reader.resetCounts();
                one.looks = 0;
                DiffReader.Visible visible = new DiffReader.Visible(new Within(one), new Within(to));
                assertThat(diffs.page(sides, request, visible).toList()).hasSize(10);
                assertThat(reader.nodesRead()).as(ranges + " ranges").isLessThanOrEqualTo(unrestricted);
                int halvings = Integer.SIZE - Integer.numberOfLeadingZeros(ranges);
                assertThat(one.looks)
                        .as("forty searches among %s ranges for each difference", ranges)
                        .isLessThanOrEqualTo(40 * changed.size() * halvings);
            }
        }
    }

    /** Some keys, and others beside them, each as a range of its own. */
    private static List<KeyInterval> singly(List<Integer> some, int ranges) {
        return Stream.concat(some.stream(), IntStream.iterate(0, n -> n + 7).boxed())
                .distinct()
                .limit(ranges)
                .map(RowCommits::key)
                .sorted()
                .map(KeyInterval::only)
                .toList();
    }

    @ParameterizedTest(name = "{0} keys")
    @ValueSource(ints = {1_000, 10_000, 100_000})
    void hiddenDifferencesCostNothing(int keys) {
        Commit commit = catalog(keys);
        Map<ContentKey, Optional<Content>> changes = new TreeMap<>();
        for (int i = 0; i < keys; i += 7) {
            changes.put(RowCommits.key(i), Optional.of(RowCommits.table(i, 2)));
        }
        Commit other = rows.commit(commit, changes);
        Whole few = few(keys);
        reader.resetCounts();
        DiffReader.Sides sides = new DiffReader.Sides(at(commit), at(other));
        DiffRequest request = new DiffRequest(AT, AT, KeySelection.ALL, "", 0, "");
        long shown = few.ranges().stream()
                .filter(range ->
                        range.from() != null && changes.containsKey(range.from().key()))
                .count();
        assertThat(diffs.page(sides, request, new DiffReader.Visible(few, VisibleKeys.ALL))
                        .toList())
                .hasSize((int) shown);
        assertThat(reader.nodesRead())
                .as("a path for each range in both trees, and what is read ahead beside it")
                .isLessThanOrEqualTo(few.ranges().size() * 2 * path(commit));
    }
}
