package org.anabranch.service;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.KeyMergeMode;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.MergeOutcome.KeyResult;
import org.anabranch.model.MergeOutcome.Report;
import org.anabranch.model.VisibleKeys;
import org.anabranch.security.Access;
import org.anabranch.security.Check;
import org.anabranch.security.Question;
import org.anabranch.security.Via;
import org.anabranch.versioning.merge.KeyAction;
import org.anabranch.versioning.merge.KeyAction.Kind;
import org.anabranch.versioning.merge.MergeBounds;

/**
 * What a merge, transplant or revert must be allowed:
 *
 * <ul>
 *   <li>to read at the source all that it brings, because the target will show it. Keys that are not read there are not named;
 *   <li>to do to the target's keys what the plan may do to them. Of keys that may hold what the caller may not read there, to
 *       create, update and delete them, so that the answer is the same whatever they hold;
 *   <li>for a merge, not to read more keys under the target's name than at the source.
 * </ul>
 *
 * @param source by whose rules the source is read
 * @param target name of the branch
 */
record MergeQuestions(Access access, String source, String target) {

    /** What the caller may be told and may do. */
    MergeBounds bounds() {
        return access.isUnrestricted()
                ? MergeBounds.NONE
                : new MergeBounds(
                        access.visible(Check.READ_CONTENT_KEY, source),
                        access.visible(Check.READ_CONTENT_KEY, target),
                        true);
    }

    /**
     * Asks what can be asked without a plan: whatever a plan is refused for, it names the keys that the request names.
     *
     * @throws org.anabranch.model.RefusedException 403 if the caller may not read them at the source
     */
    void requireNamed(List<KeyMergeMode> modes) {
        if (access.isUnrestricted() || modes.isEmpty()) {
            return;
        }
        VisibleKeys keys = access.visible(Check.READ_CONTENT_KEY, source);
        List<Question> questions = modes.stream()
                .map(KeyMergeMode::key)
                .filter(key -> !CommitQuestions.showsAll(keys, key))
                .flatMap(key -> Question.ofAllTypes(Check.READ_CONTENT_KEY, source, key).stream())
                .toList();
        if (!questions.isEmpty()) {
            access.require(
                    Stream.concat(ofTarget().stream(), questions.stream()).toList());
        }
    }

    private List<Question> ofTarget() {
        return List.of(
                Question.ofReference(Check.COMMIT_CHANGE_AGAINST_REFERENCE, target, Via.MERGE),
                Question.ofReference(Check.MERGE_INTO_REFERENCE, target, Via.MERGE));
    }

    /**
     * Asks for all that the plan of a merge may do, at once. Through the merge commit the target reaches the commits of the source,
     * with all that they hold, so it is asked as of a reference that is assigned to the source, too.
     *
     * @throws org.anabranch.model.RefusedException 403 that names what is not allowed
     */
    void requireMerge(Collection<KeyAction> actions) {
        require(actions, ReferenceQuestions.widened(access, target, source));
    }

    /**
     * Asks for all that the plan of a transplant or revert may do, at once.
     *
     * @throws org.anabranch.model.RefusedException 403 that names what is not allowed
     */
    void require(Collection<KeyAction> actions) {
        require(actions, List.of());
    }

    private void require(Collection<KeyAction> actions, List<String> widened) {
        if (access.isUnrestricted()) {
            return;
        }
        VisibleKeys keys = access.visible(Check.READ_CONTENT_KEY, source);
        VisibleKeys values = access.visible(Check.READ_ENTITY_VALUE, source);
        VisibleKeys atTarget = access.visible(Check.READ_CONTENT_KEY, target);
        Map<ContentKey, List<KeyAction>> byKey = new LinkedHashMap<>();
        actions.forEach(action ->
                byKey.computeIfAbsent(action.key(), key -> new ArrayList<>()).add(action));
        Set<Question> questions = new LinkedHashSet<>(ofTarget());
        List<String> unnamed = new ArrayList<>(widened);
        boolean hasHidden = false;
        for (var entry : byKey.entrySet()) {
            ContentKey key = entry.getKey();
            boolean isRead = entry.getValue().stream()
                    .filter(action -> action.kind() == Kind.READ_AT_SOURCE)
                    .allMatch(action -> keys.shows(key, action.type()) && values.shows(key, action.type()));
            if (isRead) {
                addChanges(questions, key, entry.getValue(), CommitQuestions.showsAll(atTarget, key));
            } else {
                hasHidden = true;
            }
        }
        if (hasHidden) {
            unnamed.add(Check.READ_CONTENT_KEY + " and " + Check.READ_ENTITY_VALUE + " of other keys on '" + source
                    + "' that were changed there");
        }
        access.require(questions, unnamed);
    }

    private void addChanges(Set<Question> questions, ContentKey key, List<KeyAction> actions, boolean isSeen) {
        for (KeyAction action : actions) {
            switch (action.kind()) {
                case READ_AT_SOURCE -> {
                    if (!isSeen) {
                        add(questions, Check.CREATE_ENTITY, key, action.type());
                        add(questions, Check.UPDATE_ENTITY, key, action.type());
                        for (ContentType type : ContentType.values()) {
                            add(questions, Check.DELETE_ENTITY, key, type);
                        }
                    }
                }
                case CREATE -> add(questions, Check.CREATE_ENTITY, key, action.type());
                case UPDATE -> add(questions, Check.UPDATE_ENTITY, key, action.type());
                case DELETE -> add(questions, Check.DELETE_ENTITY, key, action.type());
                case FORCE -> add(questions, Check.FORCE_CHANGE, key, action.type());
            }
        }
    }

    private void add(Set<Question> questions, Check check, ContentKey key, ContentType type) {
        questions.add(Question.ofKey(check, target, key, type, Via.MERGE));
    }

    /** An outcome without what it would tell of keys of the target that the caller may not read. */
    MergeOutcome told(MergeOutcome outcome) {
        HiddenKeys hidden = HiddenKeys.of(access, target);
        return switch (outcome) {
            case MergeOutcome.NamespacesConflicted(var conflicts) ->
                new MergeOutcome.NamespacesConflicted(hidden.redacted(conflicts));
            case MergeOutcome.Conflicted(var report) ->
                new MergeOutcome.Conflicted(new Report(
                        report.targetBranch(),
                        report.evaluatedHead(),
                        report.expected(),
                        report.commonAncestor(),
                        report.keys().stream()
                                .map(key -> key.conflict() == null
                                        ? key
                                        : new KeyResult(key.key(), key.mode(), hidden.redacted(key.conflict())))
                                .toList()));
            default -> outcome;
        };
    }
}
