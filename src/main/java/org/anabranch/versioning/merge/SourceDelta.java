package org.anabranch.versioning.merge;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.anabranch.index.EntryDiff;
import org.anabranch.index.KeyIndex;
import org.anabranch.index.KeyRange;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.object.Commit;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.Tree;

/**
 * What a source changed since its merge bases.
 *
 * @param bases at least one
 * @param units the keys whose value differs from every base, in groups: keys between which contents were renamed are one
 *     group, every other key is a group of its own. Ordered by first key
 * @param touched the keys whose value differs from the first base
 * @param homes under which key the first base holds the content ids of touched keys
 */
record SourceDelta(
        List<Commit> bases,
        Commit source,
        List<List<KeyDelta>> units,
        SortedSet<ContentKey> touched,
        Map<ContentId, ContentKey> homes) {

    /**
     * Compares a source with its bases. O(d log n) node reads for d keys that differ from the first base, and one bulk read per
     * level and further base.
     */
    static SourceDelta read(KeyIndex index, List<Commit> bases, Commit source) {
        List<EntryDiff> diffs = new ArrayList<>();
        Iterator<EntryDiff> diff = index.diff(bases.get(0).tree(), source.tree(), KeyRange.ALL);
        diff.forEachRemaining(diffs::add);
        return of(index, bases, source, diffs);
    }

    /**
     * What a source changed in one key since a base; if the key does not hold the same content on both, then also in the keys
     * between which it was renamed together with others. O(log n) node reads if the content is the same; otherwise O(d log n)
     * for d keys that differ.
     */
    static SourceDelta readUnit(KeyIndex index, Commit base, Commit source, ContentKey key) {
        IndexKey indexKey = IndexKey.of(key);
        Optional<IndexEntry> atBase = index.find(base.tree(), indexKey);
        Optional<IndexEntry> atSource = index.find(source.tree(), indexKey);
        if (!atBase.map(IndexEntry::contentId).equals(atSource.map(IndexEntry::contentId))) {
            return read(index, List.of(base), source).only(key);
        }
        return of(
                index,
                List.of(base),
                source,
                KeyDelta.sameValue(atBase, atSource)
                        ? List.of()
                        : List.of(new EntryDiff(indexKey, atBase.get(), atSource.get())));
    }

    private static SourceDelta of(KeyIndex index, List<Commit> bases, Commit source, List<EntryDiff> diffs) {
        List<IndexKey> keys = diffs.stream().map(EntryDiff::key).toList();
        List<SortedMap<IndexKey, IndexEntry>> furtherBases = bases.stream()
                .skip(1)
                .map(base -> index.findAll(base.tree(), keys))
                .toList();
        SortedMap<ContentKey, KeyDelta> deltas = new TreeMap<>();
        SortedSet<ContentKey> touched = new TreeSet<>();
        Map<ContentId, ContentKey> homes = new HashMap<>();
        for (EntryDiff one : diffs) {
            ContentKey key = one.key().toContentKey();
            List<Optional<IndexEntry>> values = new ArrayList<>();
            values.add(Optional.ofNullable(one.from()));
            furtherBases.forEach(entries -> values.add(Optional.ofNullable(entries.get(one.key()))));
            KeyDelta delta = new KeyDelta(key, values, Optional.ofNullable(one.to()));
            touched.add(key);
            delta.base().ifPresent(entry -> homes.put(entry.contentId(), key));
            if (!delta.isUnchangedBy(delta.source())) {
                deltas.put(key, delta);
            }
        }
        return new SourceDelta(
                List.copyOf(bases),
                source,
                units(deltas, homes),
                Collections.unmodifiableSortedSet(touched),
                Map.copyOf(homes));
    }

    private static List<List<KeyDelta>> units(
            SortedMap<ContentKey, KeyDelta> deltas, Map<ContentId, ContentKey> homes) {
        Map<ContentKey, SortedSet<ContentKey>> groups = new HashMap<>();
        deltas.keySet().forEach(key -> groups.put(key, new TreeSet<>(Set.of(key))));
        for (KeyDelta delta : deltas.values()) {
            Optional<ContentKey> home =
                    delta.source().map(entry -> homes.get(entry.contentId())).filter(deltas::containsKey);
            home.ifPresent(key -> join(groups, delta.key(), key));
        }
        List<List<KeyDelta>> units = new ArrayList<>();
        deltas.keySet().forEach(key -> {
            SortedSet<ContentKey> group = groups.get(key);
            if (group.first().equals(key)) {
                units.add(group.stream().map(deltas::get).toList());
            }
        });
        return units;
    }

    /** The same without the keys that are not in one group with a key. */
    private SourceDelta only(ContentKey key) {
        List<List<KeyDelta>> unit = units.stream()
                .filter(keys -> keys.stream().anyMatch(one -> one.key().equals(key)))
                .toList();
        SortedSet<ContentKey> keys = new TreeSet<>();
        unit.forEach(deltas -> deltas.forEach(delta -> keys.add(delta.key())));
        return new SourceDelta(bases, source, unit, Collections.unmodifiableSortedSet(keys), homes);
    }

    /** Joins the groups of two keys. The smaller one moves, so that long chains of renames cost O(k log k) moves of keys. */
    private static void join(Map<ContentKey, SortedSet<ContentKey>> groups, ContentKey one, ContentKey other) {
        SortedSet<ContentKey> first = groups.get(one);
        SortedSet<ContentKey> second = groups.get(other);
        if (first == second) {
            return;
        }
        SortedSet<ContentKey> larger = first.size() < second.size() ? second : first;
        SortedSet<ContentKey> smaller = larger == first ? second : first;
        larger.addAll(smaller);
        smaller.forEach(key -> groups.put(key, larger));
    }

    /** Whether the source holds a content id that the first base holds under no key that the source changed. */
    boolean bringsNewIds() {
        return units.stream()
                .flatMap(List::stream)
                .flatMap(key -> key.source().stream())
                .anyMatch(entry -> !homes.containsKey(entry.contentId()));
    }

    /** Which of these keys hold something at one of the bases or at the source. */
    Set<ContentKey> existing(KeyIndex index, Collection<ContentKey> keys) {
        Set<ContentKey> existing = new TreeSet<>();
        List<IndexKey> indexKeys = keys.stream().map(IndexKey::of).toList();
        List<Tree> trees = new ArrayList<>(bases.stream().map(Commit::tree).toList());
        trees.add(source.tree());
        for (Tree tree : trees) {
            index.findAll(tree, indexKeys).keySet().forEach(key -> existing.add(key.toContentKey()));
        }
        return existing;
    }
}
