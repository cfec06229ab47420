package org.anabranch.api.ext;

/** The paths of the API beyond v2, below the root of the server. */
public final class ExtPaths {

    /** Where the API lives. */
    public static final String BASE = "/api/ext/v1";

    /** Where references and commits live; a reference in a path is written as in API v2. */
    public static final String TREES = BASE + "/trees";

    private ExtPaths() {}
}
