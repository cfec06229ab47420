package org.anabranch.model;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * A commit of a history.
 *
 * @param operations deletions, then puts, each in key order, for one walk: their contents are read in blocks meanwhile. Null where
 *     they were not asked for, and for a commit without any
 */
public record LogEntry(CommitHeader commit, @Nullable Iterator<Operation> operations) {}
