package org.anabranch.service;

import org.anabranch.model.ContentKey;
import org.anabranch.model.RefSpec;
import org.anabranch.model.Reference;
import org.anabranch.versioning.read.ChildReader;
import org.anabranch.versioning.refs.HashRole;
import org.anabranch.versioning.refs.References;
import org.anabranch.versioning.refs.ResolvedReference;
import org.jspecify.annotations.Nullable;

/** Counts the keys below a key. Safe from many threads. */
public final class CountKeys {

    /** How many keys there are at the commit of a reference. */
    public record Counted(Reference reference, long count) {}

    private final References references;
    private final ChildReader children;

    public CountKeys(References references, ChildReader children) {
        this.references = references;
        this.children = children;
    }

    /**
     * Counts without listing: O(log n) node reads.
     *
     * @param parent does not count itself; null for all keys
     * @throws org.anabranch.model.RefusedException 404 if the reference or its hash is not there
     */
    public Counted count(RefSpec reference, @Nullable ContentKey parent) {
        ResolvedReference resolved = references.resolve(reference, HashRole.EXPECTED);
        return new Counted(resolved.effective(), children.count(resolved.commit(), parent));
    }
}
