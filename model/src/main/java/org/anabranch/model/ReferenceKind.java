package org.anabranch.model;

/** The two kinds of stored reference. Names are shared: a branch and a tag never have the same one. */
public enum ReferenceKind {
    BRANCH,
    TAG
}
