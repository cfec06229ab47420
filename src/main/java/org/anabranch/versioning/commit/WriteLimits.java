package org.anabranch.versioning.commit;

import java.time.Duration;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.RefusedException;

/**
 * How long and how much a {@link BranchWriter} tries.
 *
 * @param attempts the most heads that one request is judged on, at least 1
 * @param time the most that a request waits and is tried; an attempt that has begun is finished
 * @param judgementTime the most that one request is judged on one head, while its branch waits; looked at for each commit
 * @param batchRequests the most requests that share a write, at least 1
 * @param batchBytes no request joins a write that has this many bytes
 * @param waitingRequests the most requests that wait for one branch
 */
public record WriteLimits(
        int attempts, Duration time, Duration judgementTime, int batchRequests, long batchBytes, int waitingRequests) {

    /** Up to 1,000 attempts in 5 s; up to 256 requests and about 4 MB in a write; up to 300 requests waiting. */
    public static final WriteLimits DEFAULT =
            new WriteLimits(1_000, Duration.ofSeconds(5), Duration.ofSeconds(30), 256, 4L << 20, 300);

    public WriteLimits {
        if (attempts < 1
                || batchRequests < 1
                || batchBytes < 1
                || waitingRequests < 1
                || time.isNegative()
                || judgementTime.isNegative()) {
            throw new IllegalArgumentException("Limits of writes are positive");
        }
    }

    /** What ends a request that waited for all its time and was not tried. */
    RefusedException notBegun(String branch) {
        return RefusedException.of(
                ErrorCode.SERVICE_UNAVAILABLE,
                "Branch '" + branch + "' has more to write than it can: the request waited for " + time.toMillis()
                        + " ms and was not begun; send it again later");
    }
}
