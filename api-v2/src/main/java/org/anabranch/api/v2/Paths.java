package org.anabranch.api.v2;

/** The paths of the API, below the root of the server. */
public final class Paths {

    /** Where the API lives. */
    public static final String BASE = "/api/v2";

    /**
     * The pattern of a reference in a path, matched before percent-decoding: one segment; or anything, slashes included, up to
     * an at sign and the rest of that segment. So {@code fe/x@/entries} works as {@code fe%2Fx/entries} does.
     */
    static final String REFERENCE = "([^/]+|[^@]+(@|%40)[^@/]*)";

    private Paths() {}
}
