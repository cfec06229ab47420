package org.anabranch.versioning.transfer.peer;

/**
 * A content that could not keep its id.
 *
 * @param commit hash there, of the first commit that it was so in
 * @param before its id there
 * @param after its id here, from that commit on
 */
public record ChangedContentId(String commit, String key, String before, String after, String reason) {}
