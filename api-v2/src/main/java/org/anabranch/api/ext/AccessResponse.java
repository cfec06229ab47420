package org.anabranch.api.ext;

/**
 * How much of the catalog the caller is shown.
 *
 * @param unfiltered whether every reference, key and operation of a commit is in the answers to this caller; if not, what is missing
 *     from a listing may be there all the same
 */
public record AccessResponse(boolean unfiltered) {}
