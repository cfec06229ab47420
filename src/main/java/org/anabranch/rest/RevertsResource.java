package org.anabranch.rest;

import jakarta.ws.rs.core.HttpHeaders;
import org.anabranch.api.ext.RevertBody;
import org.anabranch.api.ext.RevertsApi;
import org.anabranch.api.v2.MergeResponse;
import org.anabranch.model.ContentKey;
import org.anabranch.model.Idempotency;
import org.anabranch.model.RefSpec;
import org.anabranch.model.RevertRequest;
import org.anabranch.service.RevertOnBranch;
import org.jspecify.annotations.Nullable;

/** Reverts of commits and of single keys. */
public final class RevertsResource implements RevertsApi {

    private final RevertOnBranch revertOnBranch;
    private final Caller caller;
    private final IdempotencyHeader idempotency;
    private final Audit audit;
    private final Endings endings;

    RevertsResource(
            RevertOnBranch revertOnBranch, Caller caller, IdempotencyHeader idempotency, Audit audit, Endings endings) {
        this.revertOnBranch = revertOnBranch;
        this.caller = caller;
        this.idempotency = idempotency;
        this.audit = audit;
        this.endings = endings;
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
        Idempotency repeat = idempotency.find();
        return WritesResource.answer(
                WritesResource.audited(
                        "revert",
                        target,
                        body.options(),
                        () -> revertOnBranch.revert(request, caller.access(), repeat),
                        audit,
                        endings),
                body.options().conflictsAsResult());
    }
}
