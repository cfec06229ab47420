package org.anabranch.model;

/**
 * Asks for the keys that differ between two commits.
 *
 * @param filter an expression over {@code key}; empty for none
 * @param maxRecords of the page, after filtering; no limit if 0 or less
 * @param pageToken of the page before, which was asked for with the same parameters; empty for the first page
 */
public record DiffRequest(
        RefSpec from, RefSpec to, KeySelection keys, String filter, int maxRecords, String pageToken) {}
