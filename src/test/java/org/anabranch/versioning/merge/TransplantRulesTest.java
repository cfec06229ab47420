package org.anabranch.versioning.merge;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.at;
import static org.anabranch.testing.TestCatalog.delete;
import static org.anabranch.testing.TestCatalog.key;
import static org.anabranch.testing.TestCatalog.mode;
import static org.anabranch.testing.TestCatalog.namespace;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitMeta;
import org.anabranch.model.CommitRequest;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.GivenMeta;
import org.anabranch.model.HashSpec;
import org.anabranch.model.IcebergView;
import org.anabranch.model.KeyMergeMode;
import org.anabranch.model.MergeMode;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.MergeOutcome.Conflicted;
import org.anabranch.model.MergeOutcome.Merged;
import org.anabranch.model.MergeOutcome.NamespacesConflicted;
import org.anabranch.model.MergeOutcome.NothingToDo;
import org.anabranch.model.MergeOutcome.Report;
import org.anabranch.model.MergeOutcome.WouldMerge;
import org.anabranch.model.Operation;
import org.anabranch.model.RefusedException;
import org.anabranch.model.TransplantRequest;
import org.anabranch.object.Commit;
import org.anabranch.testing.TestCatalog;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What is peculiar to transplants; the rules of single keys are those of merges. */
class TransplantRulesTest {

    private static final Content VIEW = new IcebergView(null, "view", 1, 1, null, null);

    private final TestCatalog catalog = new TestCatalog();
    private ContentId u;
    private ContentId t;

    /** Both branches start with n, n.t and u. */
    @BeforeEach
    void base() {
        catalog.commit(MAIN, put("n", namespace()), put("n.t", table("t0")), put("u", table("u0")));
        u = catalog.id(MAIN, "u");
        t = catalog.id(MAIN, "n.t");
        catalog.branch("side", MAIN);
    }

    private CommitId source(Operation... operations) {
        return catalog.commit("side", operations);
    }

    /** Transplants with a rehearsal before, and returns the keys that the answer lists. */
    private List<String> transplanted(CommitId... commits) {
        return transplanted(MergeMode.NORMAL, List.of(), commits);
    }

    private List<String> transplanted(MergeMode defaultMode, List<KeyMergeMode> modes, CommitId... commits) {
        CommitId before = catalog.head(MAIN);
        MergeOutcome rehearsed = catalog.transplant(MAIN, defaultMode, true, modes, commits);
        assertThat(catalog.head(MAIN)).isEqualTo(before);
        MergeOutcome outcome = catalog.transplant(MAIN, defaultMode, false, modes, commits);
        assertThat(outcome).isInstanceOf(Merged.class);
        Report report = ((Merged) outcome).report();
        assertThat(rehearsed).isEqualTo(new WouldMerge(report));
        assertThat(report.commonAncestor()).isNull();
        assertThat(((Merged) outcome).head()).isEqualTo(catalog.head(MAIN));
        return report.keys().stream().map(key -> key.mode() + " " + key.key()).toList();
    }

    private List<String> conflicts(CommitId... commits) {
        CommitId before = catalog.head(MAIN);
        MergeOutcome outcome = catalog.transplant(MAIN, commits);
        assertThat(outcome).isInstanceOf(Conflicted.class);
        assertThat(catalog.head(MAIN)).isEqualTo(before);
        return ((Conflicted) outcome)
                .conflicts().stream()
                        .map(conflict -> conflict.conflictType() + " " + conflict.key())
                        .toList();
    }

    @Test
    void eachCommitBecomesOneWithOneParentUnderItsOldMetadata() {
        Instant authored = Instant.parse("2020-01-01T00:00:00.123456789Z");
        GivenMeta given = new GivenMeta("one", List.of("ada"), authored, List.of("bob"), Map.of("p", List.of("q")));
        catalog.commit(
                new CommitRequest(at("side", catalog.head("side")), given, List.of(put("x", table("x")))), "eve");
        CommitId one = catalog.head("side");
        CommitId two = source(put("y", table("y")));
        catalog.commit(MAIN, put("theirs", table("theirs")));
        assertThat(transplanted(one, two)).containsExactly("NORMAL x", "NORMAL y");

        List<Commit> log = catalog.log(MAIN);
        assertThat(log).hasSize(4);
        assertThat(log.get(0).parents()).containsExactly(log.get(1).head());
        assertThat(log.get(1).parents()).containsExactly(log.get(2).head());
        assertThat(log.get(1).requireMeta())
                .isEqualTo(
                        new CommitMeta("one", "", List.of("ada"), authored, List.of("bob"), Map.of("p", List.of("q"))));
        assertThat(catalog.id(MAIN, "x")).isEqualTo(catalog.id("side", "x"));
    }

    @Test
    void aMessageIsForASingleCommit() {
        CommitId one = source(put("x", table("x")));
        CommitId two = source(put("y", table("y")));
        catalog.transplant(request("told", one));
        assertThat(catalog.log(MAIN).get(0).requireMeta().message()).isEqualTo("told");
        catalog.branch("again", MAIN);
        catalog.commit(MAIN, delete("x"));
        catalog.transplant(request("ignored", one, two));
        assertThat(catalog.log(MAIN).get(0).requireMeta().message()).isEqualTo("commit");
    }

    private TransplantRequest request(String message, CommitId... commits) {
        return new TransplantRequest(
                at(MAIN, catalog.head(MAIN)),
                "side",
                List.of(commits).stream()
                        .map(id -> new HashSpec(id.toString(), List.of()))
                        .toList(),
                message,
                MergeMode.NORMAL,
                List.of(),
                false);
    }

    @Test
    void oneConflictStopsThemAll() {
        CommitId one = source(put("x", table("x")));
        CommitId two = source(put("u", table("ours"), u));
        catalog.commit(MAIN, put("u", table("theirs"), u));
        assertThat(conflicts(one, two)).containsExactly("VALUE_DIFFERS u");
        assertThat(catalog.contents(MAIN)).doesNotContainKey(key("x"));
    }

    @Test
    void commitsWithoutEffectAreLeftOut() {
        CommitId one = source(put("x", table("x")));
        CommitId idle = source(TestCatalog.unchanged("x"));
        CommitId two = source(put("y", table("y")));
        transplanted(one, idle, two);
        assertThat(catalog.log(MAIN)).hasSize(3);
    }

    @Test
    void aMergeIsTransplantedWithoutItsSource() {
        catalog.branch("third", MAIN);
        source(put("x", table("x")));
        catalog.commit("third", put("y", table("y")));
        catalog.merge("third", "side");
        assertThat(transplanted(catalog.head("side"))).containsExactly("NORMAL y");
        assertThat(catalog.log(MAIN).get(0).parents()).hasSize(1);
    }

    @Test
    void namespacesAreJudgedCommitByCommit() {
        CommitId one = source(put("m", namespace()));
        CommitId two = source(put("m.t", table("x")));
        assertThat(catalog.transplant(MAIN, two))
                .isInstanceOfSatisfying(
                        NamespacesConflicted.class,
                        conflicted -> assertThat(conflicted.message()).isEqualTo("Namespace 'm' must exist."));
        assertThat(transplanted(one, two)).containsExactly("NORMAL m", "NORMAL m.t");
    }

    @Test
    void noCommonAncestorIsNeeded() {
        catalog.branchAt("alone", CommitId.NO_ANCESTOR);
        CommitId alone = catalog.commit("alone", put("x", table("x")));
        transplanted(alone);
    }

    @Test
    void largeContentsComeAlong() {
        Content large = new IcebergView(null, "view", 1, 1, "select 1 ".repeat(300), "sql");
        CommitId one = source(put("large", large));
        transplanted(one);
        assertThat(catalog.content(MAIN, "large")).isEqualTo(large.withId(catalog.id("side", "large")));
        Commit copied = catalog.log(MAIN).get(0);
        assertThat(catalog.objects().operations(copied)).hasSize(1);
    }

    @Test
    void anExpectationIsForTheFirstCommitThatChangesTheKey() {
        CommitId one = source(put("u", table("u1"), u));
        CommitId two = source(put("u", table("u2"), u));
        catalog.commit(MAIN, put("u", table("theirs"), u));
        List<KeyMergeMode> expecting = List.of(
                new KeyMergeMode(key("u"), MergeMode.NORMAL, table("theirs").withId(u), null));
        transplanted(MergeMode.NORMAL, expecting, one, two);
        assertThat(catalog.content(MAIN, "u")).isEqualTo(table("u2").withId(u));
    }

    @Nested
    class BadRequests {

        @Test
        void commitsMustFollowOneAnother() {
            CommitId one = source(put("x", table("x")));
            CommitId two = source(put("y", table("y")));
            CommitId three = source(put("z", table("z")));
            assertRefused(ErrorCode.BAD_REQUEST, "contiguous", two, one);
            assertRefused(ErrorCode.BAD_REQUEST, "contiguous", one, three);
            assertRefused(ErrorCode.BAD_REQUEST, "contiguous", one, one);
            assertRefused(ErrorCode.BAD_REQUEST, "no commit", CommitId.NO_ANCESTOR);
        }

        @Test
        void commitsMustExist() {
            assertRefused(ErrorCode.REFERENCE_NOT_FOUND, "not found", CommitId.parse("12".repeat(32)));
        }

        private void assertRefused(ErrorCode code, String fragment, CommitId... commits) {
            CommitId before = catalog.head(MAIN);
            assertThatThrownBy(() -> catalog.transplant(MAIN, commits))
                    .isInstanceOfSatisfying(
                            RefusedException.class,
                            refusal -> assertThat(refusal.code()).isEqualTo(code))
                    .hasMessageContaining(fragment);
            assertThat(catalog.head(MAIN)).isEqualTo(before);
        }
    }

    @Nested
    class PeerDefects {

        @Test
        void aTransplantedRenameKeepsTheTable() {
            CommitId renamed = source(delete("u"), put("v", table("u0"), u));
            assertThat(transplanted(renamed)).containsExactly("NORMAL u", "NORMAL v");
            assertThat(catalog.id(MAIN, "v")).isEqualTo(u);
        }

        @Test
        void transplantingTwiceChangesNothing() {
            CommitId changed = source(put("u", table("u1"), u), delete("n.t"), put("x", table("x")));
            transplanted(changed);
            CommitId head = catalog.head(MAIN);
            assertThat(catalog.transplant(MAIN, changed)).isInstanceOf(NothingToDo.class);
            assertThat(catalog.merge("side", MAIN)).isInstanceOf(NothingToDo.class);
            assertThat(catalog.head(MAIN)).isEqualTo(head);
        }

        @Test
        void dropDropsWithAndWithoutAConflict() {
            CommitId one = source(put("u", table("ours"), u), put("x", table("x")), put("y", table("y")));
            catalog.commit(MAIN, put("u", table("theirs"), u));
            assertThat(transplanted(
                            MergeMode.NORMAL, List.of(mode("u", MergeMode.DROP), mode("x", MergeMode.DROP)), one))
                    .containsExactly("DROP u", "DROP x", "NORMAL y");
            assertThat(catalog.contents(MAIN).keySet()).containsExactly(key("n"), key("n.t"), key("u"), key("y"));
        }

        @Test
        void aDryRunSeesTheCommitsBefore() {
            CommitId one = source(put("u", table("u1"), u));
            CommitId two = source(put("u", table("u2"), u));
            assertThat(transplanted(one, two)).containsExactly("NORMAL u");
        }

        @Test
        void aReplacedContentIsTransplanted() {
            CommitId replaced = source(delete("u"), put("u", VIEW));
            assertThat(transplanted(replaced)).containsExactly("NORMAL u");
            assertThat(catalog.content(MAIN, "u")).isEqualTo(catalog.content("side", "u"));
        }

        @Test
        void aContentIsNotTransplantedToASecondKey() {
            CommitId created = source(put("x", table("x")));
            transplanted(created);
            catalog.commit(MAIN, delete("x"), put("y", table("x"), catalog.id(MAIN, "x")));
            assertThat(conflicts(created)).containsExactly("KEY_EXISTS x");
        }

        @Test
        void aResolutionMustBeOfTheSameContent() {
            CommitId changed = source(put("u", table("ours"), u));
            catalog.commit(MAIN, put("u", table("theirs"), u));
            List<KeyMergeMode> foreign = List.of(new KeyMergeMode(
                    key("u"),
                    MergeMode.NORMAL,
                    table("theirs").withId(u),
                    table("r").withId(t)));
            assertThatThrownBy(() -> catalog.transplant(MAIN, MergeMode.NORMAL, false, foreign, changed))
                    .isInstanceOfSatisfying(
                            RefusedException.class,
                            refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_REQUEST));
        }
    }
}
