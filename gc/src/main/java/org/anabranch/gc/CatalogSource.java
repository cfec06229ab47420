package org.anabranch.gc;

import java.util.Iterator;
import java.util.List;
import org.anabranch.model.CommitId;

/**
 * The catalog as the collection of files reads it: never writing, and only by commits, which do not change.
 *
 * <p>Safe from many threads. Iterators fetch page by page while they are read, need no closing, and belong to one thread
 * each.
 *
 * <p>Every method, and every step of an iterator, throws {@link CatalogUnreadableException} if the server does not give a
 * whole answer; what was read until then is then worth nothing.
 */
public interface CatalogSource {

    /** Names the repository: the same text from every run against it, another one from every other repository. */
    String repository();

    /** Whether reads through this source show everything. */
    ReadAccess readAccess();

    /** All branches and tags, without duplicates, each at some moment of the call; the default branch first. */
    List<ReferenceHead> references();

    /**
     * The first-parent line from a commit down to the first one.
     *
     * @return youngest first, beginning with the commit itself; empty for {@link CommitId#NO_ANCESTOR}
     */
    Iterator<LoggedCommit> log(CommitId from);

    /** Everything in the tree of a commit, in key order. */
    Iterator<CatalogEntry> entries(CommitId at);

    /** What the tree of {@code to} holds at keys where {@code from} holds nothing or something else, in key order. */
    Iterator<CatalogEntry> changes(CommitId from, CommitId to);
}
