package org.anabranch.gc.sweep;

/**
 * A folder that is not swept although contents claim it, or that is not swept whole.
 *
 * @param path as it was recorded
 * @param reason for people
 */
public record LeftAlone(String path, Cause cause, String reason) {

    /** Why a folder is left alone. */
    public enum Cause {
        /** Some of the files that live contents need there are not known. */
        UNTOUCHABLE,
        /** It lies in no warehouse. */
        OUTSIDE,
        /** It is a warehouse or holds one. */
        TOO_HIGH,
        /** A symbolic link leads to it. */
        LINKED,
        /** What is recorded is no location. */
        UNUSABLE,
        /** Its storage did not give the whole list. */
        UNLISTED
    }
}
