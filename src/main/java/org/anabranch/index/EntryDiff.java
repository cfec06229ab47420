package org.anabranch.index;

import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.jspecify.annotations.Nullable;

/** A key whose value differs between two indexes; null where the key is absent, and never null on both sides. */
public record EntryDiff(
        IndexKey key, @Nullable IndexEntry from, @Nullable IndexEntry to) {}
