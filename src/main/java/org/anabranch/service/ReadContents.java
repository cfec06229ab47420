package org.anabranch.service;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.Entry;
import org.anabranch.model.Page;
import org.anabranch.model.RefSpec;
import org.anabranch.model.Reference;
import org.anabranch.model.RefusedException;
import org.anabranch.model.VisibleKeys;
import org.anabranch.object.Commit;
import org.anabranch.security.Access;
import org.anabranch.security.Check;
import org.anabranch.security.Question;
import org.anabranch.versioning.read.ContentReader;
import org.anabranch.versioning.refs.HashRole;
import org.anabranch.versioning.refs.References;

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

    /** What the caller is going to do with a content. */
    public enum Purpose {
        READ,
        /** To change it, or to create it where there is none: who may not do that is told now. */
        WRITE
    }

    /**
     * Reads what some keys hold. Costs O(m log n) node reads for m keys, one bulk read per level; large contents are read as the
     * page is walked.
     *
     * <p>A content is absent if the caller may not read it, but could read another type under its key.
     *
     * @param keys duplicates count once
     * @throws RefusedException 404 if the reference or its hash is not there, or not for the caller; 403, before the keys are looked
     *     up, if under one of them they may read nothing; 403 if they may not do what they are going to
     */
    public Found read(RefSpec reference, Collection<ContentKey> keys, Purpose purpose, Access access) {
        return read(SeenCommit.resolve(references, access, reference, HashRole.EXPECTED), keys, purpose, access);
    }

    private Found read(SeenCommit read, Collection<ContentKey> keys, Purpose purpose, Access access) {
        access.require(keys.stream()
                .map(key -> Question.ofKey(Check.READ_ENTITY_VALUE, read.voucher(), key, null))
                .toList());
        VisibleKeys visible = access.visible(Check.READ_ENTITY_VALUE, read.voucher());
        Commit commit = read.resolved().commit();
        if (purpose == Purpose.WRITE && !access.isUnrestricted()) {
            access.require(changes(read.voucher(), keys, contents.types(commit, keys, visible)));
        }
        return new Found(read.resolved().effective(), contents.read(commit, keys, visible));
    }

    private static List<Question> changes(
            String reference, Collection<ContentKey> keys, Map<ContentKey, ContentType> held) {
        List<Question> questions = new ArrayList<>();
        questions.add(Question.ofReference(Check.COMMIT_CHANGE_AGAINST_REFERENCE, reference));
        for (ContentKey key : keys) {
            Check check = held.containsKey(key) ? Check.UPDATE_ENTITY : Check.CREATE_ENTITY;
            questions.add(Question.ofKey(check, reference, key, held.get(key)));
        }
        return questions;
    }

    /**
     * Reads what one key holds. Costs O(log n) node reads.
     *
     * @throws RefusedException as {@link #read(RefSpec, Collection, Purpose, Access)}; 404 that names the key, if it holds nothing
     */
    public FoundOne read(RefSpec reference, ContentKey key, Purpose purpose, Access access) {
        SeenCommit read = SeenCommit.resolve(references, access, reference, HashRole.EXPECTED);
        Found found = read(read, List.of(key), purpose, access);
        if (!found.contents().hasNext()) {
            throw access.hidden(
                    RefusedException.contentNotFound(key),
                    Question.ofAllTypes(Check.READ_ENTITY_VALUE, read.voucher(), key));
        }
        return new FoundOne(
                found.reference(),
                Objects.requireNonNull(found.contents().next().content()));
    }
}
