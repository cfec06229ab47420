package org.anabranch.rest;

import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.RequestScoped;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.RefusedException;
import org.anabranch.rest.RefusalListener.Reason;

/** What the body of the request that is under way takes of the {@link BodyBudget}, until the request ends. */
@RequestScoped
public class HeldBody {

    /** Few enough that a small body is felt, many enough that a large one does not ask for every buffer. */
    private static final int STEP = 64 << 10;

    private final BodyBudget budget;
    private final RefusalListener refusals;
    private long taken;
    private long used;

    HeldBody(BodyBudget budget, RefusalListener refusals) {
        this.budget = budget;
        this.refusals = refusals;
    }

    /** @throws RefusedException 503 if the bodies of all requests together are too large */
    void read(int bytes) {
        used += bytes;
        while (used > taken) {
            if (!budget.take(STEP)) {
                refusals.refused(Reason.BODIES);
                throw RefusedException.of(
                        ErrorCode.SERVICE_UNAVAILABLE,
                        "The bodies of the requests under way have the " + budget.limit()
                                + " bytes that this server holds: send the request again later, or raise"
                                + " anabranch.limits.request-bodies");
            }
            taken += STEP;
        }
    }

    @PreDestroy
    void end() {
        budget.giveBack(taken);
        taken = 0;
    }
}
