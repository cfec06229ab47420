package org.anabranch.service;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.VisibleKeys;
import org.anabranch.object.IndexEntry;
import org.anabranch.security.Access;
import org.anabranch.security.Check;
import org.anabranch.security.Question;
import org.anabranch.security.Via;
import org.anabranch.versioning.commit.Intent;
import org.jspecify.annotations.Nullable;

/**
 * What a commit must be allowed, by what its caller saw: that the branch still holds it is proved by the conflict check.
 *
 * <p>Of a key that the caller may read the questions follow from what the key holds: a put is a create or an update, a delete and a
 * put of one key are a delete and a create, and a content that moves is deleted at one key and an update of the other. Of a key
 * that may hold what the caller may not read they are the same whatever it holds: for everything that the operation could come to.
 */
final class CommitQuestions {

    private final String branch;
    private final VisibleKeys visible;
    private final List<Question> questions = new ArrayList<>();
    private final List<ContentKey> hidden = new ArrayList<>();

    private CommitQuestions(String branch, VisibleKeys visible) {
        this.branch = branch;
        this.visible = visible;
    }

    /**
     * Asks all of them at once.
     *
     * @return the first key that the caller writes without being allowed to read what it holds, if there is one
     * @throws org.anabranch.model.RefusedException 403 that names what is not allowed
     */
    static Optional<ContentKey> require(Access access, String branch, Intent intent) {
        if (access.isUnrestricted()) {
            return Optional.empty();
        }
        CommitQuestions asked = new CommitQuestions(branch, access.visible(Check.READ_CONTENT_KEY, branch));
        asked.questions.add(Question.ofReference(Check.COMMIT_CHANGE_AGAINST_REFERENCE, branch, Via.COMMIT));
        intent.keys().forEach(asked::add);
        access.require(asked.questions);
        return asked.hidden.stream().findFirst();
    }

    private void add(Intent.OfKey wanted) {
        IndexEntry believed = wanted.believed();
        Content put = wanted.put();
        boolean isSeen =
                believed == null ? showsAll(visible, wanted.key()) : visible.shows(wanted.key(), believed.type());
        if (!isSeen) {
            hidden.add(wanted.key());
        }
        if (wanted.deletes()) {
            if (isSeen) {
                ask(Check.DELETE_ENTITY, wanted.key(), believed == null ? null : believed.type());
            } else {
                askOfAllTypes(Check.DELETE_ENTITY, wanted.key());
            }
        } else if (put == null && !isSeen) {
            askOfAllTypes(Check.READ_CONTENT_KEY, wanted.key());
        }
        if (put != null) {
            if (!isSeen || put.id() == null) {
                ask(Check.CREATE_ENTITY, wanted.key(), put.type());
            }
            if (!isSeen || put.id() != null) {
                ask(Check.UPDATE_ENTITY, wanted.key(), put.type());
            }
        }
    }

    /** Whether the caller may read a key whatever it holds, so that its absence is no secret either. */
    static boolean showsAll(VisibleKeys visible, ContentKey key) {
        return Arrays.stream(ContentType.values()).allMatch(type -> visible.shows(key, type));
    }

    private void askOfAllTypes(Check check, ContentKey key) {
        for (ContentType type : ContentType.values()) {
            ask(check, key, type);
        }
    }

    private void ask(Check check, ContentKey key, @Nullable ContentType type) {
        questions.add(Question.ofKey(check, branch, key, type, Via.COMMIT));
    }
}
