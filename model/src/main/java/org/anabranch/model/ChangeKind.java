package org.anabranch.model;

/** What a commit did to one key, compared with its first parent; the constant's name is the wire name. */
public enum ChangeKind {
    /** The key held nothing, and holds a new content. */
    CREATED,
    /** The key holds the same content, in the state that the commit put. */
    UPDATED,
    /** The key held another content, and holds a new one. */
    REPLACED,
    /** The key holds the content that another key held. */
    RENAMED,
    /** The key holds nothing any more. */
    DELETED
}
