package org.anabranch.store;

/**
 * The kept answer of a request that was applied, so that a repeat of it is answered alike and not applied again.
 *
 * @param scope caller, branch and idempotency key, encoded by the writer
 * @param requestDigest of the request's content: the same scope with another digest is another request
 * @param head of the branch when the request had been applied: the receipt counts iff this is on the branch's line
 * @param response the answer, encoded by the writer
 * @param expiresAtMicros may be forgotten after this time, in microseconds since the epoch
 */
public record Receipt(String scope, byte[] requestDigest, Head head, byte[] response, long expiresAtMicros) {}
