package org.anabranch.versioning.commit;

/**
 * Where the time of one change in a {@link BranchWriter} went, in nanoseconds.
 *
 * @param waited for its branch: in the queue, for a turn, and for the others that it shared writes with
 * @param judged on one head after another, with what is read for that
 * @param stored in the writes that it was part of, also of attempts that lost their race
 * @param attempts on how many heads it was judged
 */
public record WriteTimes(long waited, long judged, long stored, int attempts) {}
