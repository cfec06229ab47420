package org.anabranch.model;

/**
 * A key of a commit, what it holds and since when.
 *
 * @param lastChange the youngest commit of the first-parent line that put the key
 */
public record ChangedEntry(Entry entry, CommitHeader lastChange) {}
