package org.anabranch.model;

import org.jspecify.annotations.Nullable;

/** A key that differs between two commits; null where it holds nothing, and never null on both sides. */
public record DiffEntry(
        ContentKey key, @Nullable Content from, @Nullable Content to) {}
