package org.anabranch.versioning.transfer;

/** Is told how far an export or import is, now and then, on the thread that runs it. */
@FunctionalInterface
public interface TransferProgress {

    /** Does not care. */
    TransferProgress NONE = (stage, done, total) -> {};

    /** @param total 0 if that is not known */
    void at(TransferStage stage, long done, long total);
}
