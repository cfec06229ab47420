package org.anabranch.service;

import static org.anabranch.testing.Callers.ruled;
import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.at;
import static org.anabranch.testing.TestCatalog.delete;
import static org.anabranch.testing.TestCatalog.key;
import static org.anabranch.testing.TestCatalog.mode;
import static org.anabranch.testing.TestCatalog.namespace;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.anabranch.model.CommitId;
import org.anabranch.model.Conflict;
import org.anabranch.model.ConflictType;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.GivenMeta;
import org.anabranch.model.HashSpec;
import org.anabranch.model.KeyMergeMode;
import org.anabranch.model.MergeMode;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.MergeOutcome.Conflicted;
import org.anabranch.model.MergeOutcome.KeyResult;
import org.anabranch.model.MergeOutcome.Merged;
import org.anabranch.model.MergeOutcome.NothingToDo;
import org.anabranch.model.MergeOutcome.WouldMerge;
import org.anabranch.model.MergeRequest;
import org.anabranch.model.RefSpec;
import org.anabranch.model.RefusedException;
import org.anabranch.model.RevertRequest;
import org.anabranch.model.TransplantRequest;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.FaultyStore;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.commit.WriteLimits;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the rules say to merges, transplants and reverts, and that refusals tell nothing of what their callers may not read. */
class MergeAccessTest {

    private static final String READ = "allow: [read], references: [main, side]\n";
    private static final String MERGE = READ + "allow: [merge], references: [main]\n";

    private final MemoryStore memory = new MemoryStore();
    private final FaultyStore store = new FaultyStore(memory);
    private final TestCatalog catalog = new TestCatalog(store, memory, WriteLimits.DEFAULT, 0);
    private final TestCatalog other = new TestCatalog(memory, memory, WriteLimits.DEFAULT, 1_000_000);
    private ContentId t;

    /** Both branches have s and s.t; side changed s.t and added s.new and h. */
    @BeforeEach
    void fill() {
        catalog.commit(MAIN, put("s", namespace()), put("s.t", table("one")));
        t = catalog.id(MAIN, "s.t");
        catalog.branch("side", MAIN);
        catalog.commit("side", put("s.t", table("two"), t), put("s.new", table("new")), put("h", table("hidden")));
    }

    private static MergeRequest request(
            RefSpec target, RefSpec source, MergeMode mode, boolean dryRun, KeyMergeMode... modes) {
        return new MergeRequest(target, source, GivenMeta.ofMessage(""), mode, List.of(modes), dryRun);
    }

    private MergeRequest request(MergeMode mode, KeyMergeMode... modes) {
        return request(at(MAIN, catalog.head(MAIN)), at("side", catalog.head("side")), mode, false, modes);
    }

    private MergeOutcome merge(String rules, MergeRequest request) {
        return catalog.merge(request, ruled("ann", rules));
    }

    private MergeOutcome merge(String rules, KeyMergeMode... modes) {
        return merge(rules, request(MergeMode.NORMAL, modes));
    }

    private RefusedException refusal(ErrorCode code, ThrowingCallable call) {
        CommitId before = catalog.head(MAIN);
        RefusedException refusal = catchThrowableOfType(RefusedException.class, call);
        assertThat(refusal.code()).as(refusal.getMessage()).isEqualTo(code);
        assertThat(catalog.head(MAIN)).isEqualTo(before);
        return refusal;
    }

    private void denied(String message, ThrowingCallable call) {
        assertThat(refusal(ErrorCode.FORBIDDEN, call)).hasMessage("Not allowed for 'ann': " + message);
    }

    private static List<ContentKey> keys(MergeOutcome.Report report) {
        return report.keys().stream().map(KeyResult::key).toList();
    }

    @Test
    void aMergeAsksForAllThatItBrings() {
        denied(
                "COMMIT_CHANGE_AGAINST_REFERENCE on 'main', MERGE_INTO_REFERENCE on 'main', CREATE_ENTITY of 'h' on 'main',"
                        + " CREATE_ENTITY of 's.new' on 'main', UPDATE_ENTITY of 's.t' on 'main'",
                () -> merge(READ + "allow: [create, update], references: [side]"));
        denied(
                "CREATE_ENTITY of 'h' on 'main'",
                () -> merge(READ + "allow: [merge], references: [main], keys: ['s.*']"));
        denied(
                "CREATE_ENTITY of 'h' on 'main', CREATE_ENTITY of 's.new' on 'main', UPDATE_ENTITY of 's.t' on 'main'",
                () -> merge(READ + "allow: [merge], references: [main], keys: [x]"));
        assertThat(merge(MERGE)).isInstanceOf(Merged.class);
        assertThat(merge(READ + "allow: [merge], references: [main], keys: [x]"))
                .as("nothing is left to ask for")
                .isInstanceOf(NothingToDo.class);
    }

    @Test
    void theRightToCommitIsNotTheRightToMerge() {
        denied(
                "COMMIT_CHANGE_AGAINST_REFERENCE on 'main', MERGE_INTO_REFERENCE on 'main', CREATE_ENTITY of 'h' on 'main',"
                        + " CREATE_ENTITY of 's.new' on 'main', UPDATE_ENTITY of 's.t' on 'main'",
                () -> merge(READ + "allow: [create, update, delete], references: [main]", mode("h", MergeMode.NORMAL)));
    }

    @Test
    void whatIsDeletedAndRenamedAtTheSourceIsSoAtTheTarget() {
        catalog.commit("side", delete("s.t"), put("u", table("two"), t), delete("h"), delete("s.new"));
        denied(
                "DELETE_ENTITY of 's.t' on 'main', UPDATE_ENTITY of 'u' on 'main'",
                () -> merge(
                        READ + "allow: [merge], references: [main]\ndeny: [update, delete, merge], keys: [s.t, u]"));
    }

    @Test
    void aDryRunAsksForTheSame() {
        MergeRequest dry =
                request(at(MAIN, catalog.head(MAIN)), at("side", catalog.head("side")), MergeMode.NORMAL, true);
        refusal(ErrorCode.FORBIDDEN, () -> merge(READ, dry));
        assertThat(merge(MERGE, dry)).isInstanceOf(WouldMerge.class);
    }

    /** The target would show it to whoever merges, and to others. */
    @Test
    void whatMayNotBeReadAtTheSourceIsNeitherBroughtNorNamed() {
        String rules = "allow: [read, merge], references: [main]\nallow: [read], references: [side], keys: ['s.*']";
        RefusedException refusal = refusal(ErrorCode.FORBIDDEN, () -> merge(rules));
        assertThat(refusal).hasMessageContaining("other keys on 'side'").hasMessageNotContaining("'h'");

        String alike = "allow: [read], references: [main, side], keys: ['s.*']\nallow: [merge], references: [main]";
        Merged merged = (Merged)
                merge(alike, request(MergeMode.DROP, mode("s.t", MergeMode.NORMAL), mode("s.new", MergeMode.NORMAL)));
        assertThat(keys(merged.report())).containsExactly(key("s.new"), key("s.t"));
        assertThat(catalog.contents(MAIN)).doesNotContainKey(key("h"));
    }

    /** The target reaches the source's head then, so h could be read there under the target's name. */
    @Test
    void aMergeOpensNoCommitsOfTheSourceThatMayNotBeReadThere() {
        String rules = "allow: [read, merge], references: [main]\nallow: [read], references: [side], keys: ['s.*']";
        MergeRequest withoutH = request(MergeMode.DROP, mode("s.t", MergeMode.NORMAL), mode("s.new", MergeMode.NORMAL));
        denied("READ_CONTENT_KEY on 'side' of all keys that 'main' would show", () -> merge(rules, withoutH));
        assertThat(catalog.transplant(
                        new TransplantRequest(
                                withoutH.target(),
                                "side",
                                List.of(hash(catalog.head("side"))),
                                null,
                                withoutH.defaultMode(),
                                withoutH.keyModes(),
                                false),
                        ruled("ann", rules)))
                .as("a transplant makes no commit of the source reachable")
                .isInstanceOf(Merged.class);
    }

    /** Whether the source changed h, or has it at all, makes no difference. */
    @Test
    void aModeForAKeyThatMayNotBeReadAtTheSourceIsAnsweredAlikeWhateverItHolds() {
        String rules = "allow: [read, merge], references: [main]\nallow: [read], references: [side], keys: ['s.*']";
        String there = refusal(ErrorCode.FORBIDDEN, () -> merge(rules, mode("h", MergeMode.DROP)))
                .getMessage();
        String absent = refusal(ErrorCode.FORBIDDEN, () -> merge(rules, mode("g", MergeMode.DROP)))
                .getMessage();
        assertThat(there.replace("'h'", "'g'")).isEqualTo(absent);
    }

    @Test
    void forceAndResolutionsAskForMore() {
        String noForce = MERGE;
        denied("FORCE_CHANGE of 's.new' on 'main'", () -> merge(noForce, mode("s.new", MergeMode.FORCE)));
        KeyMergeMode resolved = new KeyMergeMode(
                key("s.t"),
                MergeMode.NORMAL,
                table("one").withId(t),
                table("three").withId(t));
        denied("FORCE_CHANGE of 's.t' on 'main'", () -> merge(noForce, resolved));
        denied(
                "DELETE_ENTITY of 's.t' on 'main'",
                () -> merge(
                        READ + "when: \"op in ['COMMIT_CHANGE_AGAINST_REFERENCE', 'CREATE_ENTITY', 'UPDATE_ENTITY']\"\n"
                                + "allow: [merge], keys: [x]",
                        resolved));
        assertThat(merge(MERGE + "allow: [force], references: [main]", resolved))
                .isInstanceOf(Merged.class);
        assertThat(catalog.content(MAIN, "s.t")).isEqualTo(table("three").withId(t));
    }

    /** Conflicts tell what the target holds: to who may not read it only if the answer is allowed whatever that is. */
    @Test
    void aKeyThatMayNotBeReadAtTheTargetAsksForEverything() {
        String rules = "allow: [read], references: [side]\nallow: [read], references: [main], keys: [s, 's.*']\n"
                + "allow: [merge], references: [main]\ndeny: [delete, merge], references: [main], keys: [z]\n";
        assertThat(merge(rules)).isInstanceOf(Merged.class);

        String precise = "allow: [read], references: [side]\nallow: [read], references: [main], keys: [s, 's.*']\n"
                + "when: \"ref == 'main' && op in ['COMMIT_CHANGE_AGAINST_REFERENCE', 'CREATE_ENTITY']\"\n"
                + "allow: [merge], references: [main], keys: [s, 's.*']";
        catalog.commit("side", put("k", table("k")), put("s.k", table("k")));
        denied("UPDATE_ENTITY of 'k' on 'main', DELETE_ENTITY of 'k' on 'main'", () -> merge(precise));
    }

    /** Neither against what it held before, nor against what the request guesses. */
    @Test
    void howAKeyThatMayNotBeReadAtTheTargetDiffersIsNotTold() {
        String rules = "allow: [read], references: [side]\nallow: [read], references: [main], keys: [s, 's.new']\n"
                + "allow: [merge, force], references: [main]";
        catalog.commit(MAIN, put("s.t", table("theirs"), t));

        for (MergeOutcome outcome : List.of(
                merge(rules),
                merge(
                        rules,
                        new KeyMergeMode(
                                key("s.t"), MergeMode.NORMAL, table("guessed").withId(t), null)),
                merge(
                        rules,
                        new KeyMergeMode(
                                key("s.t"), MergeMode.NORMAL, namespace().withId(t), null)))) {
            assertThat(((Conflicted) outcome).conflicts())
                    .containsExactly(Conflict.of(ConflictType.KEY_EXISTS, key("s.t")));
        }
        assertThat(((Conflicted) merge(MERGE)).conflicts())
                .containsExactly(Conflict.of(ConflictType.VALUE_DIFFERS, key("s.t")));
    }

    @Test
    void aSourceThatMayNotBeSeenIsNotThere() {
        String rules = "allow: [all], references: [main]";
        RefSpec target = at(MAIN, catalog.head(MAIN));
        CommitId hidden = catalog.head("side");
        String absent = "ab".repeat(32);
        for (String source : List.of("side@" + hidden, "main@" + hidden, "@" + hidden)) {
            String there = refusal(
                            ErrorCode.REFERENCE_NOT_FOUND,
                            () -> merge(
                                    "deny: [read-detached]\n" + rules,
                                    request(target, RefSpec.parse(source), MergeMode.NORMAL, false)))
                    .getMessage();
            String notThere = source.replace("side", "nope").replace(hidden.toString(), absent);
            assertThat(there.replace("side", "nope").replace(hidden.toString(), absent))
                    .isEqualTo(refusal(
                                    ErrorCode.REFERENCE_NOT_FOUND,
                                    () -> merge(
                                            "deny: [read-detached]\n" + rules,
                                            request(target, RefSpec.parse(notThere), MergeMode.NORMAL, false)))
                            .getMessage());
        }
    }

    @Test
    void aCommitByItsHashIsReadByTheRulesForDetachedOnes() {
        String detached = "allow: [read-detached]\nallow: [read], references: [DETACHED], keys: ['s.*']\n"
                + "allow: [read, merge], references: [main]";
        RefSpec target = at(MAIN, catalog.head(MAIN));
        RefSpec source = RefSpec.parse("main@" + catalog.head("side"));
        RefusedException refusal =
                refusal(ErrorCode.FORBIDDEN, () -> merge(detached, request(target, source, MergeMode.NORMAL, false)));
        assertThat(refusal).hasMessageContaining("other keys on 'DETACHED'");
        assertThat(merge(
                        detached + "\nallow: [read], references: [DETACHED]",
                        request(target, source, MergeMode.NORMAL, false)))
                .isInstanceOf(Merged.class);
    }

    /** The content moved at the target to where the caller does not see it. */
    @Test
    void whereElseAContentIsIsNotTold() {
        CommitId added = catalog.commit("side", put("s.moved", table("m")));
        catalog.transplant(MAIN, added);
        catalog.commit(MAIN, delete("s.moved"), put("secret", table("m"), catalog.id(MAIN, "s.moved")));
        String rules = MERGE + "deny: [read], references: [main], keys: [secret]";
        Conflicted conflicted = (Conflicted) merge(rules);
        assertThat(conflicted.conflicts()).singleElement().satisfies(conflict -> {
            assertThat(conflict.key()).isEqualTo(key("s.moved"));
            assertThat(conflict.message()).endsWith("under another key").doesNotContain("secret");
        });
        assertThat(((Conflicted) merge(MERGE)).conflicts().get(0).message()).endsWith("under key 'secret'");
    }

    /**
     * The source changed u and changed it back, so a merge of its head does not touch u: until the target takes the commit in
     * between, and the merge would put u back.
     */
    @Test
    void aMergeThatComesToMoreMeanwhileIsAskedForAgain() {
        catalog.commit(MAIN, put("u", table("u0")));
        ContentId u = catalog.id(MAIN, "u");
        catalog.branch("back", MAIN);
        CommitId between = catalog.commit("back", put("u", table("u1"), u));
        catalog.branchAt("between", between);
        catalog.commit("back", put("u", table("u0"), u), put("x", table("x")));
        String sees = "allow: [read], references: [main, back]\n";
        MergeRequest request =
                request(at(MAIN, catalog.head(MAIN)), at("back", catalog.head("back")), MergeMode.NORMAL, false);

        meanwhile(() -> other.merge("between", MAIN));
        RefusedException refusal = catchThrowableOfType(
                RefusedException.class, () -> merge(sees + "allow: [merge], references: [main], keys: [x]", request));
        assertThat(refusal.code()).isEqualTo(ErrorCode.FORBIDDEN);
        assertThat(refusal).hasMessage("Not allowed for 'ann': UPDATE_ENTITY of 'u' on 'main'");
        assertThat(catalog.content(MAIN, "u")).isEqualTo(table("u1").withId(u));
        assertThat(catalog.contents(MAIN)).doesNotContainKey(key("x"));

        assertThat(merge(sees + "allow: [merge], references: [main]", request)).isInstanceOf(Merged.class);
        assertThat(catalog.content(MAIN, "u")).isEqualTo(table("u0").withId(u));
    }

    @Test
    void aMergeThatComesToMoreMeanwhileGoesOnIfThatIsAllowed() {
        catalog.commit(MAIN, put("u", table("u0")));
        ContentId u = catalog.id(MAIN, "u");
        catalog.branch("back", MAIN);
        CommitId between = catalog.commit("back", put("u", table("u1"), u));
        catalog.branchAt("between", between);
        catalog.commit("back", put("u", table("u0"), u), put("x", table("x")));
        MergeRequest request =
                request(at(MAIN, catalog.head(MAIN)), at("back", catalog.head("back")), MergeMode.NORMAL, false);

        meanwhile(() -> other.merge("between", MAIN));
        assertThat(merge("allow: [read], references: [main, back]\nallow: [merge], references: [main]", request))
                .isInstanceOf(Merged.class);
        assertThat(catalog.content(MAIN, "u")).isEqualTo(table("u0").withId(u));
    }

    /** What the target got meanwhile is another thing than what was asked about: the forced merge was asked for that, too. */
    @Test
    void whatIsForcedWasAskedForWhateverTheTargetHolds() {
        String force = MERGE + "allow: [force], references: [main]";
        refusal(
                ErrorCode.FORBIDDEN,
                () -> merge(
                        READ + "allow: [force], references: [main]\n"
                                + "when: \"op in ['COMMIT_CHANGE_AGAINST_REFERENCE', 'CREATE_ENTITY']\"\n"
                                + "allow: [merge], references: [main], keys: [x]",
                        request(MergeMode.FORCE, mode("s.t", MergeMode.DROP))));
        meanwhile(() -> other.commit(MAIN, put("s.new", table("theirs"))));
        assertThat(merge(force, request(MergeMode.FORCE))).isInstanceOf(Merged.class);
    }

    private void meanwhile(Runnable foreign) {
        store.foreignFirst(store.writes() + 1, foreign);
    }

    private TransplantRequest transplant(@Nullable String source, CommitId... commits) {
        return new TransplantRequest(
                at(MAIN, catalog.head(MAIN)),
                source,
                List.of(commits).stream()
                        .map(id -> new HashSpec(id.toString(), List.of()))
                        .toList(),
                null,
                MergeMode.NORMAL,
                List.of(),
                false);
    }

    @Test
    void aTransplantAsksForAllThatItsCommitsBring() {
        CommitId first = catalog.head("side");
        CommitId second = catalog.commit("side", put("s.t", table("three"), t), delete("h"));
        TransplantRequest both = transplant("side", first, second);
        denied(
                "CREATE_ENTITY of 's.new' on 'main', UPDATE_ENTITY of 's.t' on 'main'",
                () -> catalog.transplant(
                        both,
                        ruled(
                                "ann",
                                READ
                                        + "allow: [merge], references: [main]\ndeny: [merge, create, update], keys: ['s.*']")));
        denied(
                "CREATE_ENTITY of 'h' on 'main', DELETE_ENTITY of 'h' on 'main'",
                () -> catalog.transplant(both, ruled("ann", MERGE + "deny: [merge], references: [main], keys: [h]")));
        RefusedException refusal = refusal(
                ErrorCode.FORBIDDEN,
                () -> catalog.transplant(both, ruled("ann", MERGE + "deny: [read], references: [side], keys: [h]")));
        assertThat(refusal).hasMessageContaining("other keys on 'side'").hasMessageNotContaining("'h'");
        assertThat(catalog.transplant(both, ruled("ann", MERGE))).isInstanceOf(Merged.class);
    }

    @Test
    void commitsToTransplantMustBeReachedFromTheSource() {
        CommitId hidden = catalog.head("side");
        CommitId absent = CommitId.parse("ab".repeat(32));
        String rules = "allow: [read, merge], references: [main]";
        for (String source : new String[] {"main", null}) {
            RefusedException there = refusal(
                    ErrorCode.REFERENCE_NOT_FOUND,
                    () -> catalog.transplant(transplant(source, hidden), ruled("ann", rules)));
            RefusedException notThere = refusal(
                    ErrorCode.REFERENCE_NOT_FOUND,
                    () -> catalog.transplant(transplant(source, absent), ruled("ann", rules)));
            assertThat(there.getMessage().replace(hidden.toString(), absent.toString()))
                    .isEqualTo(notThere.getMessage());
            assertThat(there.denial()).contains("READ_DETACHED on 'DETACHED'").isEqualTo(notThere.denial());
            assertThat(catalog.transplant(
                            transplant(source, hidden),
                            ruled("ann", rules + "\nallow: [read-detached]\nallow: [read], references: [DETACHED]")))
                    .isInstanceOf(source == null ? NothingToDo.class : Merged.class);
        }
    }

    private RevertRequest revert(RevertRequest.Scope scope) {
        return new RevertRequest(
                at(MAIN, catalog.head(MAIN)), scope, GivenMeta.ofMessage(""), MergeMode.NORMAL, List.of(), false);
    }

    private static HashSpec hash(CommitId commit) {
        return new HashSpec(commit.toString(), List.of());
    }

    @Test
    void aRevertAsksForAllThatItTakesBack() {
        CommitId bad = catalog.commit(MAIN, put("s.t", table("two"), t), put("h", table("hidden")));
        RevertRequest request = revert(new RevertRequest.OfCommit(hash(bad)));
        denied(
                "DELETE_ENTITY of 'h' on 'main'",
                () -> catalog.revert(
                        request, ruled("ann", READ + "allow: [merge], references: [main], keys: ['s.*']")));
        RefusedException refusal = refusal(
                ErrorCode.FORBIDDEN,
                () -> catalog.revert(request, ruled("ann", MERGE + "deny: [read], references: [main], keys: [h]")));
        assertThat(refusal).hasMessageContaining("other keys on 'main'").hasMessageNotContaining("'h'");
        assertThat(catalog.revert(request, ruled("ann", MERGE))).isInstanceOf(Merged.class);
    }

    @Test
    void aRevertOfAKeyThatMayNotBeReadIsAnsweredAlikeWhetherItIsThereOrNot() {
        CommitId before = catalog.head(MAIN);
        catalog.commit(MAIN, put("h", table("hidden")));
        String rules = MERGE + "deny: [read], references: [main], keys: [h, g]";
        String there = refusal(
                        ErrorCode.FORBIDDEN,
                        () -> catalog.revert(
                                revert(new RevertRequest.OfKey(key("h"), hash(before))), ruled("ann", rules)))
                .getMessage();
        String absent = refusal(
                        ErrorCode.FORBIDDEN,
                        () -> catalog.revert(
                                revert(new RevertRequest.OfKey(key("g"), hash(before))), ruled("ann", rules)))
                .getMessage();
        assertThat(there.replace("'h'", "'g'")).isEqualTo(absent);
    }

    @Test
    void aCommitToRevertIsOneOfTheBranch() {
        CommitId hidden = catalog.head("side");
        CommitId absent = CommitId.parse("ab".repeat(32));
        String there = refusal(
                        ErrorCode.REFERENCE_NOT_FOUND,
                        () -> catalog.revert(
                                revert(new RevertRequest.OfCommit(hash(hidden))), ruled("ann", "allow: [all]")))
                .getMessage();
        String notThere = refusal(
                        ErrorCode.REFERENCE_NOT_FOUND,
                        () -> catalog.revert(
                                revert(new RevertRequest.OfCommit(hash(absent))), ruled("ann", "allow: [all]")))
                .getMessage();
        assertThat(there.replace(hidden.toString(), absent.toString())).isEqualTo(notThere);
    }
}
