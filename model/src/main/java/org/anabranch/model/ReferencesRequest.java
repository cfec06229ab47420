package org.anabranch.model;

/**
 * Asks for branches and tags.
 *
 * @param detail {@link Detail#ALL} for the metadata too
 * @param filter an expression over {@code ref}, {@code refType}, {@code refMeta} and {@code commit}; empty for none
 * @param maxRecords of the page, after filtering; no limit if 0 or less
 * @param pageToken of the page before, which was asked for with the same parameters; empty for the first page
 */
public record ReferencesRequest(Detail detail, String filter, int maxRecords, String pageToken) {}
