package org.anabranch.model;

/**
 * Asks for the commits of a first-parent line that changed a key, youngest first.
 *
 * @param detail {@link Detail#ALL} for the contents too
 * @param maxRecords of the page; {@value HistoryRequest#MAX_RECORDS} if more than that, or 0 or less
 * @param pageToken of the page before, which was asked for with the same parameters; empty for the first page
 */
public record KeyHistoryRequest(RefSpec reference, ContentKey key, Detail detail, int maxRecords, String pageToken) {}
