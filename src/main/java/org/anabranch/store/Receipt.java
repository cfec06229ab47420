package org.anabranch.store;

/**
 * The kept answer of a request that was applied, so that a repeat of it is answered alike and not applied again.
 *
 * @param scope caller, branch and idempotency key, encoded by the writer; unique
 * @param requestDigest of the request's content: the same scope with another digest is another request
 * @param response the answer, encoded by the writer
 * @param expiresAtMicros may be forgotten after this time, in microseconds since the epoch
 */
public record Receipt(String scope, byte[] requestDigest, byte[] response, long expiresAtMicros) {}
