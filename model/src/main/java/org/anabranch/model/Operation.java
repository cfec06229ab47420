package org.anabranch.model;

/** One operation of a commit request. */
public sealed interface Operation {

    ContentKey key();

    /** Creates the key (content without id), updates it (with the id it has) or receives a rename (another key's id). */
    record Put(ContentKey key, Content content) implements Operation {}

    /** Removes the key. */
    record Delete(ContentKey key) implements Operation {}

    /** Demands that the key is as the caller's expected commit shows it; never stored. */
    record Unchanged(ContentKey key) implements Operation {}
}
