package org.anabranch.service;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.model.Entry;
import org.anabranch.model.Page;
import org.anabranch.model.RefSpec;
import org.anabranch.model.Reference;
import org.anabranch.model.RefusedException;
import org.anabranch.versioning.read.ContentReader;
import org.anabranch.versioning.refs.HashRole;
import org.anabranch.versioning.refs.References;
import org.anabranch.versioning.refs.ResolvedReference;

/** Reads contents at a commit. Safe from many threads. */
public final class ReadContents {

    /**
     * The contents of a commit under some keys.
     *
     * @param reference with the commit that was read
     * @param contents in key order; keys that hold nothing are absent
     */
    public record Found(Reference reference, Page<Entry> contents) {}

    /**
     * The content of a commit under one key.
     *
     * @param reference with the commit that was read
     */
    public record FoundOne(Reference reference, Content content) {}

    private final References references;
    private final ContentReader contents;

    public ReadContents(References references, ContentReader contents) {
        this.references = references;
        this.contents = contents;
    }

    /**
     * Reads what some keys hold. Costs O(m log n) node reads for m keys, one bulk read per level; large contents are read as the
     * page is walked.
     *
     * @param keys duplicates count once
     * @throws RefusedException 404 if the reference or its hash is not there
     */
    public Found read(RefSpec reference, Collection<ContentKey> keys) {
        ResolvedReference resolved = references.resolve(reference, HashRole.EXPECTED);
        return new Found(resolved.effective(), contents.read(resolved.commit(), keys));
    }

    /**
     * Reads what one key holds. Costs O(log n) node reads.
     *
     * @throws RefusedException 404 if the reference or its hash is not there; 404 that names the key, if it holds nothing
     */
    public FoundOne read(RefSpec reference, ContentKey key) {
        Found found = read(reference, List.of(key));
        if (!found.contents().hasNext()) {
            throw RefusedException.contentNotFound(key);
        }
        return new FoundOne(
                found.reference(),
                Objects.requireNonNull(found.contents().next().content()));
    }
}
