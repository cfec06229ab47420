package org.anabranch.versioning.refs;

import org.anabranch.model.AppliedResult;
import org.anabranch.object.ResultCodec;
import org.anabranch.store.Head;
import org.anabranch.store.Receipt;

/**
 * Where the receipt of a request will stand, once the request is applied.
 *
 * @param scope that was free when it was looked for
 * @param expiresAtMicros in microseconds since the epoch
 */
public record ReceiptSlot(String scope, byte[] requestDigest, long expiresAtMicros) {

    /**
     * The receipt, to be written with the change that it is of.
     *
     * @param head the last commit that the request makes, or where it puts a reference, or where a deleted one was
     */
    public Receipt receipt(Head head, AppliedResult result) {
        return new Receipt(scope, requestDigest, head, ResultCodec.encode(result), expiresAtMicros);
    }
}
