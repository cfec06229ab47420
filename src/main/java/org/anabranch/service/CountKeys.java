package org.anabranch.service;

import org.anabranch.model.ContentKey;
import org.anabranch.model.Detail;
import org.anabranch.model.RefSpec;
import org.anabranch.model.Reference;
import org.anabranch.security.Access;
import org.anabranch.security.Check;
import org.anabranch.versioning.read.ChildReader;
import org.anabranch.versioning.refs.HashRole;
import org.anabranch.versioning.refs.References;
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
     * Counts without listing, as {@link ChildReader#count}: the keys that the caller may know of.
     *
     * @param parent does not count itself; null for all keys
     * @throws org.anabranch.model.RefusedException 404 if the reference or its hash is not there, or not for the caller; 403 if
     *     they may not list it
     */
    public Counted count(RefSpec reference, @Nullable ContentKey parent, Access access) {
        SeenCommit read = SeenCommit.resolve(references, access, reference, HashRole.EXPECTED);
        read.require(access, Check.READ_ENTRIES);
        return new Counted(
                read.resolved().effective(),
                children.count(read.resolved().commit(), parent, read.keys(access, Detail.MINIMAL)));
    }
}
