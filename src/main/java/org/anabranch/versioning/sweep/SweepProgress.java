package org.anabranch.versioning.sweep;

/** Is told how far a sweep is, now and then, on the thread that runs it. */
@FunctionalInterface
public interface SweepProgress {

    /** Does not care. */
    SweepProgress NONE = (stage, done, total) -> {};

    /**
     * @param done rows listed, deleted or condemned
     * @param total how many there will be; 0 if that is not known
     */
    void at(SweepStage stage, long done, long total);
}
