package org.anabranch.rest;

import jakarta.ws.rs.core.HttpHeaders;
import org.anabranch.api.ext.RevertBody;
import org.anabranch.api.ext.RevertsApi;
import org.anabranch.api.v2.MergeResponse;
import org.anabranch.model.ContentKey;
import org.anabranch.model.RefSpec;
import org.anabranch.model.RevertRequest;
import org.anabranch.service.RevertOnBranch;
import org.jspecify.annotations.Nullable;

/** Reverts of commits and of single keys. */
public final class RevertsResource implements RevertsApi {

    private final RevertOnBranch revertOnBranch;
    private final Caller caller;
    private final IdempotencyHeader idempotency;

    RevertsResource(RevertOnBranch revertOnBranch, Caller caller, IdempotencyHeader idempotency) {
        this.revertOnBranch = revertOnBranch;
        this.caller = caller;
        this.idempotency = idempotency;
    }

    @Override
    public MergeResponse revert(String branch, HttpHeaders headers, @Nullable RevertBody revert) {
        RevertBody body = Parameters.requiredBody("revert", revert);
        return revert(branch, new RevertRequest.OfCommit(body.hash()), headers, body);
    }

    @Override
    public MergeResponse revertKey(String branch, String key, HttpHeaders headers, @Nullable RevertBody revert) {
        ContentKey contentKey = Parameters.requiredKey("key", key);
        RevertBody body = Parameters.requiredBody("revert", revert);
        return revert(branch, new RevertRequest.OfKey(contentKey, body.hash()), headers, body);
    }

    private MergeResponse revert(String branch, RevertRequest.Scope scope, HttpHeaders headers, RevertBody body) {
        RefSpec target = Parameters.reference("branch", branch);
        RevertRequest request = new RevertRequest(
                target,
                scope,
                MetaHeaders.applied(WritesResource.given(body.message(), body.commitMeta()), headers),
                body.options().defaultMode(),
                WritesResource.modes(body.options()),
                body.options().dryRun());
        return WritesResource.answer(
                revertOnBranch.revert(request, caller.access(), idempotency.find()),
                body.options().conflictsAsResult());
    }
}
