package org.anabranch.model;

/**
 * Asks for the keys of a commit.
 *
 * @param detail {@link Detail#ALL} for the contents too
 * @param filter an expression over {@code entry}; empty for none
 * @param maxRecords of the page, after filtering; no limit if 0 or less
 * @param pageToken of the page before, which was asked for with the same parameters; empty for the first page
 */
public record EntriesRequest(
        RefSpec reference, KeySelection keys, Detail detail, String filter, int maxRecords, String pageToken) {}
