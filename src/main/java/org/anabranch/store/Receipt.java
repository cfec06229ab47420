package org.anabranch.store;

/**
 * The kept answer of a request that was applied, so that a repeat of it is answered alike and not applied again.
 *
 * <p>A store that writes in one transaction keeps the receipts of applied requests only. Where it does not, a receipt may be
 * left of a request that was not applied, so it counts only as far as the reference bears it out; see docs/formats.md.
 *
 * @param scope caller, reference and idempotency key, encoded by the writer
 * @param requestDigest of the request's content: the same scope with another digest is another request
 * @param head the last commit that the request made; or where it put the reference; or where a deleted reference was
 * @param response the answer, encoded by the writer
 * @param expiresAtMicros may be forgotten after this time, in microseconds since the epoch, by {@link Store#clockMicros}
 */
public record Receipt(String scope, byte[] requestDigest, Head head, byte[] response, long expiresAtMicros) {}
