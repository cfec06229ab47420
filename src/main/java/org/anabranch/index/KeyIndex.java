package org.anabranch.index;

import java.util.Collection;
import java.util.Iterator;
import java.util.Optional;
import java.util.SortedMap;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.ObjectReader;
import org.anabranch.object.Tree;

/** Reads key indexes: lookup, range, count, diff. */
public final class KeyIndex {

    public KeyIndex(ObjectReader reader) {}

    public Optional<IndexEntry> find(Tree tree, IndexKey key) {
        throw new UnsupportedOperationException();
    }

    /** The entries of those keys that exist. Each level is fetched in one bulk read. */
    public SortedMap<IndexKey, IndexEntry> findAll(Tree tree, Collection<IndexKey> keys) {
        throw new UnsupportedOperationException();
    }

    /** The entries in a range in key order, read as the iterator moves. */
    public Iterator<IndexEntry> range(Tree tree, KeyRange range) {
        throw new UnsupportedOperationException();
    }

    /** How many keys lie in a range: O(log n) node reads. */
    public long count(Tree tree, KeyRange range) {
        throw new UnsupportedOperationException();
    }

    /** The keys of a range whose values differ, in key order, read as the iterator moves: O(d log n) node reads. */
    public Iterator<EntryDiff> diff(Tree from, Tree to, KeyRange range) {
        throw new UnsupportedOperationException();
    }
}
