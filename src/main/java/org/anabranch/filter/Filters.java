package org.anabranch.filter;

import org.anabranch.model.ContentKey;

/**
 * Compiles filters of the Common Expression Language, each once, and keeps the last ones used. Safe from many threads.
 *
 * <p>Every method takes the text as the client sent it. The empty text matches everything; a text of blanks is refused, as are
 * texts over {@link #MAX_LENGTH}, syntax errors, undeclared names and fields, and types that do not fit: a
 * {@link org.anabranch.model.RefusedException} (bad request) that names the position.
 */
public final class Filters {

    /** The most UTF-16 code units of a filter. */
    public static final int MAX_LENGTH = 4096;

    /** Filters of references: {@code ref}, {@code refType}, {@code refMeta}, {@code commit}. */
    public Filter<ReferenceView> references(String text) {
        throw new UnsupportedOperationException();
    }

    /** Filters of entries: {@code entry}. */
    public Filter<EntryView> entries(String text) {
        throw new UnsupportedOperationException();
    }

    /** Filters of histories: {@code commit}, {@code operations}. */
    public Filter<HistoryView> history(String text) {
        throw new UnsupportedOperationException();
    }

    /** Filters of differences: {@code key}. */
    public Filter<ContentKey> diff(String text) {
        throw new UnsupportedOperationException();
    }
}
