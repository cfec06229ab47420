package org.anabranch.model;

import org.jspecify.annotations.Nullable;

/**
 * Asks for the first-parent line of a commit, youngest first.
 *
 * @param detail {@link Detail#ALL} for the operations too
 * @param limit the last commit wanted, whether the filter shows it or not; without effect if it is not met; null for none
 * @param filter an expression over {@code commit} and {@code operations}; empty for none
 * @param maxRecords of the page, after filtering; {@value #MAX_RECORDS} if more than that, or 0 or less
 * @param pageToken of the page before, which was asked for with the same parameters; empty for the first page
 */
public record HistoryRequest(
        RefSpec reference, Detail detail, @Nullable HashSpec limit, String filter, int maxRecords, String pageToken) {

    /** The most commits of one page. */
    public static final int MAX_RECORDS = 250;
}
