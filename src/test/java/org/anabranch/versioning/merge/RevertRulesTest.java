package org.anabranch.versioning.merge;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.at;
import static org.anabranch.testing.TestCatalog.delete;
import static org.anabranch.testing.TestCatalog.mode;
import static org.anabranch.testing.TestCatalog.namespace;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.anabranch.model.CommitId;
import org.anabranch.model.Conflict;
import org.anabranch.model.ContentId;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.GivenMeta;
import org.anabranch.model.HashSpec;
import org.anabranch.model.KeyMergeMode;
import org.anabranch.model.MergeMode;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.MergeOutcome.Conflicted;
import org.anabranch.model.MergeOutcome.Merged;
import org.anabranch.model.MergeOutcome.NamespacesConflicted;
import org.anabranch.model.MergeOutcome.NothingToDo;
import org.anabranch.model.MergeOutcome.WouldMerge;
import org.anabranch.model.RefusedException;
import org.anabranch.model.RevertRequest;
import org.anabranch.object.Commit;
import org.anabranch.testing.TestCatalog;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is peculiar to reverts; the rules of single keys are those of merges. */
class RevertRulesTest {

    private final TestCatalog catalog = new TestCatalog();
    private CommitId first;
    private ContentId t;

    /** Main starts with n, n.t and u. */
    @BeforeEach
    void base() {
        first = catalog.commit(MAIN, put("n", namespace()), put("n.t", table("t0")), put("u", table("u0")));
        t = catalog.id(MAIN, "n.t");
    }

    private static RevertRequest request(
            CommitId expected, RevertRequest.Scope scope, MergeMode mode, boolean dryRun, KeyMergeMode... modes) {
        return new RevertRequest(at(MAIN, expected), scope, GivenMeta.ofMessage(""), mode, List.of(modes), dryRun);
    }

    private static RevertRequest.Scope commit(CommitId id) {
        return new RevertRequest.OfCommit(new HashSpec(id.toString(), List.of()));
    }

    private static RevertRequest.Scope key(String key, CommitId id) {
        return new RevertRequest.OfKey(TestCatalog.key(key), new HashSpec(id.toString(), List.of()));
    }

    private static void assertRefused(ThrowingCallable call, ErrorCode code, String message) {
        assertThatThrownBy(call).isInstanceOfSatisfying(RefusedException.class, refusal -> {
            assertThat(refusal.code()).isEqualTo(code);
            assertThat(refusal).hasMessageContaining(message);
        });
    }

    private static List<String> conflicts(MergeOutcome outcome) {
        List<Conflict> conflicts =
                switch (outcome) {
                    case Conflicted conflicted -> conflicted.conflicts();
                    case NamespacesConflicted conflicted -> conflicted.conflicts();
                    default -> throw new AssertionError(outcome);
                };
        return conflicts.stream()
                .map(conflict -> conflict.conflictType() + " " + conflict.key())
                .toList();
    }

    @Test
    void aRevertIsACommitWithOneParentAndSaysWhatItTookBack() {
        CommitId two = catalog.commit(MAIN, put("x", table("x")));
        CommitId three = catalog.commit(MAIN, put("y", table("y")));
        MergeOutcome outcome = catalog.revert(MAIN, two);
        assertThat(outcome).isInstanceOf(Merged.class);
        assertThat(((Merged) outcome).report().commonAncestor()).isNull();
        assertThat(((Merged) outcome).report().keys())
                .extracting(result -> result.key().toString())
                .containsExactly("x");
        Commit head = catalog.log(MAIN).get(0);
        assertThat(head.id()).isEqualTo(((Merged) outcome).head());
        assertThat(head.parents()).containsExactly(catalog.commit(three).head());
        assertThat(head.requireMeta().message()).isEqualTo("Revert \"commit\"\n\nThis reverts commit " + two + ".");
        assertThat(catalog.contents(MAIN))
                .doesNotContainKey(TestCatalog.key("x"))
                .containsKey(TestCatalog.key("y"));
    }

    @Test
    void whatWasChangedAgainIsInConflictAndNothingIsWritten() {
        CommitId two = catalog.commit(MAIN, put("n.t", table("t1"), t), delete("u"));
        catalog.commit(MAIN, put("n.t", table("t2"), t));
        CommitId head = catalog.head(MAIN);
        assertThat(conflicts(catalog.revert(MAIN, two))).containsExactly("VALUE_DIFFERS n.t");
        assertThat(catalog.head(MAIN)).isEqualTo(head);
    }

    @Test
    void modesDecideConflictsAsInMerges() {
        CommitId two = catalog.commit(MAIN, put("n.t", table("t1"), t), delete("u"));
        CommitId head = catalog.commit(MAIN, put("n.t", table("t2"), t));
        assertThat(catalog.revert(request(head, commit(two), MergeMode.NORMAL, true, mode("n.t", MergeMode.DROP))))
                .isInstanceOf(WouldMerge.class);
        assertThat(catalog.head(MAIN)).isEqualTo(head);
        assertThat(catalog.revert(request(head, commit(two), MergeMode.FORCE, false)))
                .isInstanceOf(Merged.class);
        assertThat(catalog.content(MAIN, "n.t")).isEqualTo(table("t0").withId(t));
        assertRefused(
                () -> catalog.revert(
                        request(head, commit(two), MergeMode.NORMAL, false, mode("other", MergeMode.FORCE))),
                ErrorCode.BAD_REQUEST,
                "other");
    }

    @Test
    void aRenameIsTakenBackWithItsContent() {
        CommitId two = catalog.commit(MAIN, delete("n.t"), put("s", table("t0"), t));
        catalog.commit(MAIN, put("v", table("v")));
        assertThat(catalog.revert(MAIN, two)).isInstanceOf(Merged.class);
        assertThat(catalog.id(MAIN, "n.t")).isEqualTo(t);
        assertThat(catalog.contents(MAIN)).doesNotContainKey(TestCatalog.key("s"));
    }

    @Test
    void aRenameThatWentOnIsInConflict() {
        CommitId two = catalog.commit(MAIN, delete("n.t"), put("s", table("t0"), t));
        catalog.commit(MAIN, delete("s"), put("r", table("t0"), t));
        assertThat(conflicts(catalog.revert(MAIN, two))).contains("KEY_DOES_NOT_EXIST s");
    }

    @Test
    void namespacesAreJudgedOnWhatTheRevertLeadsTo() {
        CommitId two = catalog.commit(MAIN, put("m", namespace()));
        catalog.commit(MAIN, put("m.x", table("x")));
        assertThat(conflicts(catalog.revert(MAIN, two))).containsExactly("NAMESPACE_NOT_EMPTY m");
        CommitId four = catalog.commit(MAIN, delete("m.x"));
        catalog.commit(MAIN, delete("m"));
        assertThat(conflicts(catalog.revert(MAIN, four))).containsExactly("NAMESPACE_ABSENT m");
    }

    @Test
    void ofAMergeAllThatItBroughtIsTakenBack() {
        catalog.branch("side", MAIN);
        CommitId ofSide = catalog.commit("side", put("x", table("x")));
        catalog.commit("side", put("y", table("y")), delete("u"));
        catalog.commit(MAIN, put("z", table("z")));
        MergeOutcome merge = catalog.merge("side", MAIN);
        assertThat(catalog.revert(MAIN, ofSide)).isInstanceOf(Merged.class);
        assertThat(catalog.contents(MAIN)).doesNotContainKey(TestCatalog.key("x"));
        assertThat(catalog.revert(MAIN, ((Merged) merge).head())).isInstanceOf(Merged.class);
        assertThat(catalog.contents(MAIN).keySet()).extracting(Object::toString).containsExactly("n", "n.t", "u", "z");
    }

    @Test
    void theFirstCommitCanBeTakenBack() {
        assertThat(catalog.revert(MAIN, first)).isInstanceOf(Merged.class);
        assertThat(catalog.contents(MAIN)).isEmpty();
    }

    @Test
    void aCommitThatTheBranchDoesNotHaveIsNotFound() {
        catalog.branch("side", MAIN);
        CommitId elsewhere = catalog.commit("side", put("x", table("x")));
        CommitId head = catalog.head(MAIN);
        assertRefused(
                () -> catalog.revert(MAIN, elsewhere),
                ErrorCode.REFERENCE_NOT_FOUND,
                "Could not find commit '" + elsewhere + "' in reference 'main'");
        assertRefused(
                () -> catalog.revert(request(elsewhere, commit(first), MergeMode.NORMAL, false)),
                ErrorCode.REFERENCE_NOT_FOUND,
                "Could not find commit '" + elsewhere + "' in reference 'main'");
        assertRefused(() -> catalog.revert(MAIN, CommitId.NO_ANCESTOR), ErrorCode.BAD_REQUEST, "stands for no commit");
        assertThat(catalog.head(MAIN)).isEqualTo(head);
    }

    @Test
    void aKeyGoesBackAndTheOthersStay() {
        catalog.commit(MAIN, put("n.t", table("t1"), t), delete("u"));
        catalog.commit(MAIN, put("n.t", table("t2"), t));
        assertThat(catalog.revert(MAIN, "n.t", first)).isInstanceOf(Merged.class);
        assertThat(catalog.content(MAIN, "n.t")).isEqualTo(table("t0").withId(t));
        assertThat(catalog.contents(MAIN)).doesNotContainKey(TestCatalog.key("u"));
        assertThat(catalog.log(MAIN).get(0).requireMeta().message()).isEqualTo("Revert key n.t to commit " + first);
        assertThat(catalog.revert(MAIN, "n.t", first)).isInstanceOf(NothingToDo.class);
        assertThat(catalog.revert(MAIN, "u", first)).as("deleted since").isInstanceOf(Merged.class);
        assertThat(catalog.contents(MAIN)).isEqualTo(catalog.contents(first));
        assertThat(catalog.revert(MAIN, "u", CommitId.NO_ANCESTOR)).isInstanceOf(Merged.class);
        assertThat(catalog.contents(MAIN)).doesNotContainKey(TestCatalog.key("u"));
    }

    @Test
    void aKeyWhoseContentWasRenamedTakesItBack() {
        catalog.commit(MAIN, delete("n.t"), put("s", table("t0"), t));
        catalog.commit(MAIN, put("s", table("t1"), t));
        assertThat(catalog.revert(MAIN, "n.t", first)).isInstanceOf(Merged.class);
        assertThat(catalog.contents(MAIN)).isEqualTo(catalog.contents(first));
    }

    @Test
    void aKeyThatWasChangedSinceTheExpectedCommitIsInConflict() {
        CommitId expected = catalog.commit(MAIN, put("n.t", table("t1"), t));
        catalog.commit(MAIN, put("n.t", table("t2"), t));
        assertThat(conflicts(catalog.revert(request(expected, key("n.t", first), MergeMode.NORMAL, false))))
                .containsExactly("VALUE_DIFFERS n.t");
        catalog.commit(MAIN, delete("n.t"), put("s", table("t2"), t));
        assertThat(conflicts(catalog.revert(request(expected, key("n.t", first), MergeMode.NORMAL, false))))
                .containsExactly("KEY_DOES_NOT_EXIST n.t");
        assertThat(conflicts(catalog.revert(request(expected, key("n.t", first), MergeMode.FORCE, false))))
                .as("no content id under two keys")
                .containsExactly("KEY_DOES_NOT_EXIST n.t");
    }

    @Test
    void aKeyThatNeverHeldAnythingIsNotFound() {
        assertRefused(
                () -> catalog.revert(MAIN, "no", first),
                ErrorCode.CONTENT_NOT_FOUND,
                "Could not find content for key 'no'");
    }
}
