package org.anabranch.versioning.check;

/** Is told how far a check is, now and then, on the thread that runs it. */
@FunctionalInterface
public interface CheckProgress {

    /** Does not care. */
    CheckProgress NONE = (stage, done, total) -> {};

    /**
     * @param done rows listed, commits or trees verified
     * @param total how many there will be; 0 if that is not known
     */
    void at(CheckStage stage, long done, long total);
}
