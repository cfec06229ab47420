package org.anabranch.security;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.KeyEncoding;
import org.anabranch.security.Check.Scope;
import org.jspecify.annotations.Nullable;

/**
 * Whether a caller may do one thing.
 *
 * @param reference the name of the branch or tag; {@link #DETACHED} for a commit that none vouches for; empty if the check is
 *     about the repository
 * @param key null unless the check is about one
 * @param type of what the key holds or shall hold; null if it is not known: then it is asked whether the thing is allowed for
 *     some type
 * @param via how a change comes to the branch; anything for checks that are not about changes
 */
public record Question(
        Check check,
        String reference,
        @Nullable ContentKey key,
        @Nullable ContentType type,
        Via via) {

    /** In the place of a reference's name. */
    public static final String DETACHED = "DETACHED";

    public Question {
        if (reference.isEmpty() != (check.scope() == Scope.REPOSITORY)) {
            throw new IllegalArgumentException(check + " is about " + check.scope() + ", not '" + reference + "'");
        }
        if ((key == null) == (check.scope() == Scope.KEY)) {
            throw new IllegalArgumentException(check + " is about " + check.scope() + ", not the key " + key);
        }
    }

    public static Question ofRepository(Check check) {
        return new Question(check, "", null, null, Via.COMMIT);
    }

    /** Of a check that is not about changes. */
    public static Question ofReference(Check check, String reference) {
        return new Question(check, reference, null, null, Via.COMMIT);
    }

    public static Question ofReference(Check check, String reference, Via via) {
        return new Question(check, reference, null, null, via);
    }

    /** Of a check that is not about changes. */
    public static Question ofKey(Check check, String reference, ContentKey key, @Nullable ContentType type) {
        return new Question(check, reference, key, type, Via.COMMIT);
    }

    public static Question ofKey(Check check, String reference, ContentKey key, @Nullable ContentType type, Via via) {
        return new Question(check, reference, key, type, via);
    }

    /** Of a check that is not about changes: whether it is allowed whatever the key holds. */
    public static List<Question> ofAllTypes(Check check, String reference, ContentKey key) {
        return Arrays.stream(ContentType.values())
                .map(type -> ofKey(check, reference, key, type))
                .toList();
    }

    Question withType(ContentType other) {
        return new Question(check, reference, key, other, via);
    }

    /** With the questions that it implies, which come first. */
    List<Question> withImplied() {
        List<Question> all = new ArrayList<>();
        if (check.scope() != Scope.REPOSITORY && check != Check.VIEW_REFERENCE) {
            all.add(ofReference(Check.VIEW_REFERENCE, reference));
        }
        if (reference.equals(DETACHED) && check != Check.READ_DETACHED) {
            all.add(ofReference(Check.READ_DETACHED, DETACHED));
        }
        all.add(this);
        return all;
    }

    /** As refusals name it. */
    @Override
    public String toString() {
        String where = key == null ? "" : " of '" + KeyEncoding.CANONICAL.encode(key) + "'";
        return check + where + (reference.isEmpty() ? "" : " on '" + reference + "'");
    }
}
