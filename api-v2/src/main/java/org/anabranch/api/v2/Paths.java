package org.anabranch.api.v2;

/**
 * The paths of the API, below the root of the server.
 *
 * <p>A reference in a path is one segment, percent-encoded. Servers also take one with slashes as they are if it has an at sign
 * behind its name, as in {@code fe/x@/entries}: it ends with the segment that holds the at sign.
 */
public final class Paths {

    /** Where the API lives. */
    public static final String BASE = "/api/v2";

    /** Where references and commits live. */
    public static final String TREES = BASE + "/trees";

    private Paths() {}
}
