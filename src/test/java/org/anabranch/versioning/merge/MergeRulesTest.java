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

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.anabranch.model.CommitId;
import org.anabranch.model.Conflict;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.GivenMeta;
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
import org.anabranch.model.MergeRequest;
import org.anabranch.model.Namespace;
import org.anabranch.model.Operation;
import org.anabranch.model.RefusedException;
import org.anabranch.object.Commit;
import org.anabranch.testing.TestCatalog;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The rules of one merge, key by key. All start from
 *
 * <pre>
 *        o  main, the target
 *       /
 *   base: n, n.t, u
 *       \
 *        o  side, the source
 * </pre>
 */
class MergeRulesTest {

    private static final Content VIEW = new IcebergView(null, "view", 1, 1, null, null);

    private final TestCatalog catalog = new TestCatalog();
    private CommitId base;
    private ContentId u;
    private ContentId t;

    @BeforeEach
    void base() {
        base = catalog.commit(MAIN, put("n", namespace()), put("n.t", table("t0")), put("u", table("u0")));
        u = catalog.id(MAIN, "u");
        t = catalog.id(MAIN, "n.t");
        catalog.branch("side", MAIN);
    }

    private CommitId target(Operation... operations) {
        return catalog.commit(MAIN, operations);
    }

    private CommitId source(Operation... operations) {
        return catalog.commit("side", operations);
    }

    /** Merges, demands success, and returns the keys that the answer lists. */
    private List<String> merged(KeyMergeMode... modes) {
        return merged(MergeMode.NORMAL, modes);
    }

    private List<String> merged(MergeMode defaultMode, KeyMergeMode... modes) {
        CommitId before = catalog.head(MAIN);
        MergeOutcome rehearsed = catalog.merge("side", MAIN, defaultMode, true, modes);
        assertThat(catalog.head(MAIN)).isEqualTo(before);
        MergeOutcome outcome = catalog.merge("side", MAIN, defaultMode, false, modes);
        assertThat(outcome).isInstanceOf(Merged.class);
        Report report = ((Merged) outcome).report();
        assertThat(rehearsed).isEqualTo(new WouldMerge(report));
        Commit merge = catalog.log(MAIN).get(0);
        assertThat(merge.id()).isEqualTo(((Merged) outcome).head());
        assertThat(merge.parents())
                .containsExactly(
                        catalog.commit(before).head(),
                        catalog.commit(catalog.head("side")).head());
        assertThat(report.evaluatedHead()).isEqualTo(before);
        return keys(report);
    }

    private void assertNothingToDo(MergeMode defaultMode, KeyMergeMode... modes) {
        CommitId before = catalog.head(MAIN);
        assertThat(catalog.merge("side", MAIN, defaultMode, false, modes)).isInstanceOf(NothingToDo.class);
        assertThat(catalog.head(MAIN)).isEqualTo(before);
    }

    private List<String> conflicts(KeyMergeMode... modes) {
        return conflicts(MergeMode.NORMAL, modes);
    }

    private List<String> conflicts(MergeMode defaultMode, KeyMergeMode... modes) {
        CommitId before = catalog.head(MAIN);
        MergeOutcome outcome = catalog.merge("side", MAIN, defaultMode, false, modes);
        assertThat(outcome).isInstanceOf(Conflicted.class);
        assertThat(catalog.merge("side", MAIN, defaultMode, true, modes)).isEqualTo(outcome);
        assertThat(catalog.head(MAIN)).isEqualTo(before);
        return ((Conflicted) outcome)
                .conflicts().stream()
                        .map(conflict -> conflict.conflictType() + " " + conflict.key())
                        .toList();
    }

    private List<String> namespaceConflicts(MergeMode defaultMode) {
        CommitId before = catalog.head(MAIN);
        MergeOutcome outcome = catalog.merge("side", MAIN, defaultMode, false);
        assertThat(outcome).isInstanceOf(NamespacesConflicted.class);
        assertThat(catalog.head(MAIN)).isEqualTo(before);
        return ((NamespacesConflicted) outcome)
                .conflicts().stream()
                        .map(conflict -> conflict.conflictType() + " " + conflict.key())
                        .toList();
    }

    private void assertRefused(ErrorCode code, String fragment, MergeMode defaultMode, KeyMergeMode... modes) {
        CommitId before = catalog.head(MAIN);
        assertThatThrownBy(() -> catalog.merge("side", MAIN, defaultMode, false, modes))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code))
                .hasMessageContaining(fragment);
        assertThat(catalog.head(MAIN)).isEqualTo(before);
    }

    private static List<String> keys(Report report) {
        return report.keys().stream().map(key -> key.mode() + " " + key.key()).toList();
    }

    private static KeyMergeMode expecting(String key, Content expected) {
        return new KeyMergeMode(key(key), MergeMode.NORMAL, expected, null);
    }

    private static KeyMergeMode resolving(String key, Content expected, Content resolved) {
        return new KeyMergeMode(key(key), MergeMode.NORMAL, expected, resolved);
    }

    @Nested
    class OneSideChanged {

        @Test
        void additionsUpdatesAndDeletionsAreTaken() {
            target(put("theirs", table("theirs")));
            source(put("n.x", table("x")), put("u", table("u1"), u), delete("n.t"));
            assertThat(merged()).containsExactly("NORMAL n.t", "NORMAL n.x", "NORMAL u");
            assertThat(catalog.contents(MAIN).keySet()).containsExactly(key("n"), key("n.x"), key("theirs"), key("u"));
            assertThat(catalog.content(MAIN, "u")).isEqualTo(table("u1").withId(u));
        }

        @Test
        void aReplacedContentIsTakenAlsoWithAnotherType() {
            source(delete("u"), put("u", VIEW));
            assertThat(merged()).containsExactly("NORMAL u");
            assertThat(catalog.content(MAIN, "u")).isEqualTo(catalog.content("side", "u"));
        }

        @Test
        void whatTheSourceDidAndUndidIsNothing() {
            source(put("x", table("x")));
            source(delete("x"));
            assertNothingToDo(MergeMode.NORMAL);
        }

        @Test
        void aSourceThatIsInTheTargetIsNothing() {
            CommitId head = source(put("x", table("x")));
            merged();
            MergeOutcome again = catalog.merge("side", MAIN);
            assertThat(again).isInstanceOf(NothingToDo.class);
            assertThat(((NothingToDo) again).report().commonAncestor()).isEqualTo(head);
            assertThat(catalog.merge("side", MAIN, MergeMode.NORMAL, true)).isInstanceOf(NothingToDo.class);
        }
    }

    @Nested
    class BothSidesChanged {

        @Test
        void differently() {
            target(put("u", table("theirs"), u));
            source(put("u", table("ours"), u));
            assertThat(conflicts()).containsExactly("VALUE_DIFFERS u");
        }

        @Test
        void oneUpdatedWhatTheOtherDeleted() {
            target(delete("u"), put("n.t", table("theirs"), t));
            source(put("u", table("ours"), u), delete("n.t"));
            assertThat(conflicts()).containsExactly("VALUE_DIFFERS n.t", "KEY_DOES_NOT_EXIST u");
        }

        @Test
        void theTargetReplaced() {
            target(delete("u"), put("u", table("theirs")), delete("n.t"), put("n.t", VIEW));
            source(put("u", table("ours"), u), put("n.t", table("ours"), t));
            assertThat(conflicts()).containsExactly("PAYLOAD_DIFFERS n.t", "CONTENT_ID_DIFFERS u");
        }

        @Test
        void bothCreated() {
            target(put("x", table("same")), put("y", VIEW));
            source(put("x", table("same")), put("y", table("y")));
            assertThat(conflicts()).containsExactly("KEY_EXISTS x", "KEY_EXISTS y");
        }

        @Test
        void onlyTheKeysInConflictAreNamedSorted() {
            target(put("u", table("theirs"), u), put("n.t", table("theirs"), t), put("x", table("theirs")));
            source(put("u", table("ours"), u), put("n.t", table("ours"), t), put("x", table("ours")), put("y", VIEW));
            Conflicted conflicted = (Conflicted) catalog.merge("side", MAIN);
            assertThat(conflicted.message())
                    .isEqualTo("The following keys have been changed in conflict: 'n.t', 'u', 'x'");
            assertThat(conflicted.conflicts())
                    .extracting(Conflict::key)
                    .containsExactly(key("n.t"), key("u"), key("x"));
            assertThat(keys(conflicted.report())).containsExactly("NORMAL n.t", "NORMAL u", "NORMAL x", "NORMAL y");
        }
    }

    @Nested
    class Renames {

        @Test
        void aMergedRenameKeepsTheTable() {
            source(delete("u"), put("v", table("u0"), u));
            assertThat(merged()).containsExactly("NORMAL u", "NORMAL v");
            assertThat(catalog.contents(MAIN)).doesNotContainKey(key("u"));
            assertThat(catalog.id(MAIN, "v")).isEqualTo(u);
        }

        @Test
        void aMergedRenameWithAChangeIsNoConflict() {
            source(delete("u"), put("v", table("u0"), u));
            source(put("v", table("v1"), u));
            merged();
            assertThat(catalog.content(MAIN, "v")).isEqualTo(table("v1").withId(u));
        }

        @Test
        void theOldNameMustBeUnchangedAndTheNewOneFree() {
            source(delete("u"), put("v", table("u0"), u));
            target(put("v", table("theirs")));
            assertThat(conflicts()).containsExactly("KEY_EXISTS v");
            target(delete("v"), put("u", table("theirs"), u));
            assertThat(conflicts()).containsExactly("VALUE_DIFFERS u");
            target(delete("u"), put("w", table("theirs"), u));
            assertThat(conflicts()).containsExactly("KEY_DOES_NOT_EXIST u");
            target(delete("w"));
            assertThat(conflicts()).containsExactly("KEY_DOES_NOT_EXIST u");
        }

        @Test
        void theSameRenameOnBothSidesIsNothing() {
            source(delete("u"), put("v", table("u0"), u));
            target(delete("u"), put("v", table("u0"), u));
            assertNothingToDo(MergeMode.NORMAL);
        }

        @Test
        void theSameRenameWithOtherStatesIsAConflictUnderTheNewName() {
            source(delete("u"), put("v", table("ours"), u));
            target(delete("u"), put("v", table("theirs"), u));
            assertThat(conflicts()).containsExactly("KEY_EXISTS v");
        }

        @Test
        void aDeletionMeetsARename() {
            source(delete("u"));
            target(delete("u"), put("v", table("u0"), u));
            assertThat(conflicts()).containsExactly("KEY_DOES_NOT_EXIST u");
        }

        @Test
        void twoNamesExchangedAreOneUnit() {
            source(delete("u"), delete("n.t"), put("u", table("t0"), t), put("n.t", table("u0"), u));
            target(put("x", table("x")));
            assertThat(merged()).containsExactly("NORMAL n.t", "NORMAL u");
            assertThat(catalog.id(MAIN, "u")).isEqualTo(t);
            assertThat(catalog.id(MAIN, "n.t")).isEqualTo(u);
        }

        @Test
        void anExchangeIsTakenAsAWhole() {
            source(delete("u"), delete("n.t"), put("u", table("t0"), t), put("n.t", table("u0"), u));
            target(put("u", table("theirs"), u));
            assertThat(conflicts()).containsExactly("VALUE_DIFFERS u");
            assertThat(merged(MergeMode.DROP, mode("u", MergeMode.FORCE))).containsExactly("FORCE n.t", "FORCE u");
        }

        @Test
        void aModeForOneNameIsForBoth() {
            source(delete("u"), put("v", table("u0"), u), put("x", table("x")));
            assertThat(merged(mode("v", MergeMode.DROP))).containsExactly("DROP u", "DROP v", "NORMAL x");
            assertThat(catalog.id(MAIN, "u")).isEqualTo(u);
        }

        @Test
        void twoModesForOneRenameAreRefused() {
            source(delete("u"), put("v", table("u0"), u));
            assertRefused(
                    ErrorCode.BAD_REQUEST,
                    "renamed together",
                    MergeMode.NORMAL,
                    mode("u", MergeMode.DROP),
                    mode("v", MergeMode.FORCE));
        }
    }

    @Nested
    class Modes {

        @Test
        void forceTakesTheSource() {
            target(put("u", table("theirs"), u), delete("n.t"), put("x", table("theirs")));
            source(put("u", table("ours"), u), put("n.t", table("ours"), t), put("x", table("ours")));
            assertThat(merged(MergeMode.FORCE)).containsExactly("FORCE n.t", "FORCE u", "FORCE x");
            assertThat(catalog.contents(MAIN)).isEqualTo(catalog.contents("side"));
        }

        @Test
        void forceDeletes() {
            target(put("u", table("theirs"), u));
            source(delete("u"));
            assertThat(merged(MergeMode.FORCE)).containsExactly("FORCE u");
            assertThat(catalog.contents(MAIN)).doesNotContainKey(key("u"));
        }

        @Test
        void dropLeavesTheTargetAndListsChangedKeys() {
            target(put("u", table("theirs"), u));
            source(put("u", table("ours"), u), put("x", table("ours")));
            NothingToDo nothing = (NothingToDo) catalog.merge("side", MAIN, MergeMode.DROP, false);
            assertThat(keys(nothing.report())).containsExactly("DROP u", "DROP x");
            assertThat(merged(MergeMode.DROP, mode("x", MergeMode.NORMAL))).containsExactly("DROP u", "NORMAL x");
        }

        @Test
        void aNamedDropNeedOnlyExist() {
            source(put("x", table("ours")));
            assertThat(merged(mode("u", MergeMode.DROP))).containsExactly("DROP u", "NORMAL x");
        }

        @Test
        void unusedModesAreRefused() {
            target(put("p", table("theirs")));
            source(put("x", table("ours")));
            assertRefused(ErrorCode.BAD_REQUEST, "[zzz]", MergeMode.NORMAL, mode("zzz", MergeMode.DROP));
            assertRefused(ErrorCode.BAD_REQUEST, "[p]", MergeMode.NORMAL, mode("p", MergeMode.DROP));
            assertRefused(ErrorCode.BAD_REQUEST, "[u]", MergeMode.NORMAL, mode("u", MergeMode.FORCE));
        }

        @Test
        void aModeForWhatIsEqualAnywayIsUsed() {
            target(put("u", table("same"), u));
            source(put("u", table("same"), u));
            assertNothingToDo(MergeMode.NORMAL, mode("u", MergeMode.FORCE));
        }

        @Test
        void twoModesForOneKeyAreRefused() {
            source(put("x", table("ours")));
            assertRefused(
                    ErrorCode.BAD_REQUEST,
                    "more than one entry for key 'x'",
                    MergeMode.NORMAL,
                    mode("x", MergeMode.NORMAL),
                    mode("x", MergeMode.NORMAL));
        }
    }

    @Nested
    class ExpectationsAndResolutions {

        private final Content theirs = table("theirs");

        @BeforeEach
        void conflict() {
            target(put("u", theirs, u));
            source(put("u", table("ours"), u));
        }

        @Test
        void aMatchingExpectationLetsTheSourceWin() {
            assertThat(merged(expecting("u", theirs.withId(u)))).containsExactly("NORMAL u");
            assertThat(catalog.content(MAIN, "u")).isEqualTo(table("ours").withId(u));
        }

        @Test
        void aWrongExpectationIsAConflictAlsoWhenForced() {
            assertThat(conflicts(expecting("u", table("zz").withId(u)))).containsExactly("VALUE_DIFFERS u");
            assertThat(conflicts(new KeyMergeMode(
                            key("u"), MergeMode.FORCE, table("zz").withId(u), null)))
                    .containsExactly("VALUE_DIFFERS u");
        }

        @Test
        void anExpectationMeansNothingToADrop() {
            source(put("x", table("ours")));
            assertThat(merged(new KeyMergeMode(
                            key("u"), MergeMode.DROP, table("zz").withId(u), null)))
                    .containsExactly("DROP u", "NORMAL x");
        }

        @Test
        void aResolutionIsStoredInstead() {
            assertThat(merged(resolving("u", theirs.withId(u), table("both").withId(u))))
                    .containsExactly("NORMAL u");
            assertThat(catalog.content(MAIN, "u")).isEqualTo(table("both").withId(u));
        }

        @Test
        void anExpectationOnADeletedKeyIsAConflict() {
            target(delete("u"));
            assertThat(conflicts(resolving("u", theirs.withId(u), table("both").withId(u))))
                    .containsExactly("KEY_DOES_NOT_EXIST u");
        }

        @Test
        void aMatchingExpectationIsEnoughForWhatBothCreated() {
            target(put("k", table("k theirs")));
            source(put("k", table("k ours")));
            Content there = catalog.content(MAIN, "k");
            assertThat(merged(expecting("k", there), mode("u", MergeMode.DROP))).containsExactly("NORMAL k", "DROP u");
            assertThat(catalog.content(MAIN, "k")).isEqualTo(catalog.content("side", "k"));
        }

        @Test
        void aResolutionMustBeOfTheSameContent() {
            ContentId foreign = new ContentId(new UUID(9, 9));
            assertRefused(
                    ErrorCode.BAD_REQUEST,
                    "content id",
                    MergeMode.NORMAL,
                    resolving("u", theirs.withId(u), table("r").withId(foreign)));
            assertRefused(
                    ErrorCode.BAD_REQUEST,
                    "ICEBERG_TABLE",
                    MergeMode.NORMAL,
                    resolving("u", theirs.withId(u), VIEW.withId(u)));
        }

        @Test
        void aResolutionNeedsSomethingToResolve() {
            Content resolved = table("r").withId(u);
            assertRefused(
                    ErrorCode.BAD_REQUEST,
                    "'u'",
                    MergeMode.NORMAL,
                    new KeyMergeMode(key("u"), MergeMode.NORMAL, null, resolved));
            assertRefused(
                    ErrorCode.BAD_REQUEST,
                    "'u'",
                    MergeMode.NORMAL,
                    new KeyMergeMode(key("u"), MergeMode.FORCE, theirs.withId(u), resolved));
            assertRefused(ErrorCode.BAD_REQUEST, "'u'", MergeMode.NORMAL, resolving("u", theirs.withId(u), table("r")));
            assertRefused(
                    ErrorCode.BAD_REQUEST,
                    "n.t",
                    MergeMode.NORMAL,
                    resolving("n.t", table("t0").withId(t), table("r").withId(t)));
            source(delete("n.t"));
            assertRefused(
                    ErrorCode.BAD_REQUEST,
                    "n.t",
                    MergeMode.NORMAL,
                    resolving("n.t", table("t0").withId(t), table("r").withId(t)));
        }
    }

    @Nested
    class PeerDefects {

        @Test
        void anEmptySourceDeletesNothing() {
            catalog.branchAt("empty", CommitId.NO_ANCESTOR);
            for (MergeMode mode : MergeMode.values()) {
                MergeOutcome outcome = catalog.merge("empty", MAIN, mode, false);
                assertThat(outcome).isInstanceOf(NothingToDo.class);
                assertThat(((NothingToDo) outcome).report().commonAncestor()).isEqualTo(CommitId.NO_ANCESTOR);
            }
            assertThat(catalog.head(MAIN)).isEqualTo(base);
        }

        @Test
        void theSameChangeOnBothSidesIsSkipped() {
            target(put("u", table("same"), u), delete("n.t"));
            source(put("u", table("same"), u), delete("n.t"), put("x", table("x")));
            assertThat(merged()).containsExactly("NORMAL x");
        }

        @Test
        void whatIsGoneOnBothSidesIsNotDeletedByForce() {
            target(delete("u"));
            source(delete("u"));
            assertNothingToDo(MergeMode.FORCE);
        }

        /**
         * <pre>
         *   base - a1 ---- ma - main
         *      \     \   /
         *       \     \ /
         *        \     X
         *         \   / \
         *          b1 --- mb - side
         * </pre>
         */
        @Test
        void whatReachedBothSidesByACrissCrossIsNoConflict() {
            CommitId a1 = target(put("u", table("u1"), u));
            source(put("n.t", table("t1"), t));
            catalog.branchAt("old main", a1);
            merged();
            catalog.merge("old main", "side");
            assertNothingToDo(MergeMode.NORMAL);
            source(put("x", table("x")));
            assertThat(merged()).containsExactly("NORMAL x");
        }

        @Test
        void forceDoesNotStoreAContentUnderTwoKeys() {
            target(delete("u"), put("v", table("u0"), u));
            source(put("u", table("ours"), u));
            assertThat(conflicts()).containsExactly("KEY_DOES_NOT_EXIST u");
            assertThat(conflicts(MergeMode.FORCE)).containsExactly("KEY_DOES_NOT_EXIST u");
        }

        @Test
        void aContentThatCameByATransplantIsNotAddedAgain() {
            CommitId created = source(put("x", table("x")));
            catalog.transplant(MAIN, created);
            ContentId x = catalog.id(MAIN, "x");
            target(delete("x"), put("y", table("x"), x));
            source(put("x", table("x1"), x));
            assertThat(conflicts()).containsExactly("KEY_EXISTS x");
            assertThat(conflicts(MergeMode.FORCE)).containsExactly("KEY_EXISTS x");
        }

        @Test
        void forceDoesNotPutATableOverAFullNamespace() {
            target(put("m", namespace()), put("m.t", table("theirs")));
            source(put("m", table("ours")));
            assertThat(conflicts()).containsExactly("KEY_EXISTS m");
            assertThat(namespaceConflicts(MergeMode.FORCE)).containsExactly("NAMESPACE_NOT_EMPTY m");
            target(delete("m.t"));
            assertThat(merged(MergeMode.FORCE)).containsExactly("FORCE m");
        }

        @Test
        void aNamespaceThatBothCreatedStaysAndTakesOverProperties() {
            target(put("m", new Namespace(null, List.of(), Map.of("a", "theirs", "b", "theirs"))), put("m.a", VIEW));
            source(put("m", new Namespace(null, List.of(), Map.of("b", "ours"))), put("m.b", VIEW));
            ContentId m = catalog.id(MAIN, "m");
            assertThat(merged()).containsExactly("NORMAL m.b");
            source(put("m", new Namespace(null, List.of(), Map.of("b", "ours", "c", "ours")), catalog.id("side", "m")));
            assertThat(catalog.id(MAIN, "m")).isEqualTo(m);

            catalog.branchAt("other", base);
            catalog.commit("other", put("m", new Namespace(null, List.of(), Map.of("b", "x", "c", "other"))));
            assertThat(catalog.merge("other", MAIN)).isInstanceOf(Merged.class);
            assertThat(catalog.content(MAIN, "m"))
                    .isEqualTo(new Namespace(m, List.of(), Map.of("a", "theirs", "b", "theirs", "c", "other")));
        }
    }

    @Nested
    class Namespaces {

        @Test
        void newContentNeedsItsNamespaceOnTheTarget() {
            target(delete("n.t"), delete("n"));
            source(put("n.x", table("x")));
            assertThat(namespaceConflicts(MergeMode.NORMAL)).containsExactly("NAMESPACE_ABSENT n");
        }

        @Test
        void aDroppedNamespaceMustBeEmptyOnTheTarget() {
            target(put("n.x", table("x")));
            source(delete("n.t"), delete("n"));
            assertThat(namespaceConflicts(MergeMode.NORMAL)).containsExactly("NAMESPACE_NOT_EMPTY n");
        }

        @Test
        void aChangedTableInADroppedNamespaceIsTheConflict() {
            target(put("n.t", table("theirs"), t));
            source(delete("n.t"), delete("n"));
            assertThat(conflicts()).containsExactly("VALUE_DIFFERS n.t");
        }

        @Test
        void namespacesComeWithTheirContents() {
            source(put("a", namespace()), put("a.b", namespace()), put("a.b.t", table("x")));
            assertThat(merged()).containsExactly("NORMAL a", "NORMAL a.b", "NORMAL a.b.t");
        }
    }

    @Nested
    class WithoutACommonAncestor {

        @Test
        void nothingCanBeMerged() {
            catalog.branchAt("alone", CommitId.NO_ANCESTOR);
            catalog.commit("alone", put("x", table("x")));
            assertNotMerged("alone", MAIN);
            catalog.branchAt("empty", CommitId.NO_ANCESTOR);
            assertNotMerged(MAIN, "empty");
            assertNotMerged("empty", "empty");
        }

        private void assertNotMerged(String source, String target) {
            assertThatThrownBy(() -> catalog.merge(source, target))
                    .isInstanceOfSatisfying(
                            RefusedException.class,
                            refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.REFERENCE_NOT_FOUND));
        }
    }

    @Nested
    class Messages {

        @Test
        void areGivenOrGenerated() {
            CommitId side = source(put("x", table("x")));
            merged();
            assertThat(catalog.log(MAIN).get(0).requireMeta().message())
                    .isEqualTo("Merged side at " + side + " into main at " + base);
            source(put("y", table("y")));
            catalog.merge(new MergeRequest(
                    at(MAIN, base),
                    at(null, catalog.head("side")),
                    GivenMeta.ofMessage("given"),
                    MergeMode.NORMAL,
                    List.of(),
                    false));
            assertThat(catalog.log(MAIN).get(0).requireMeta().message()).isEqualTo("given");
        }
    }

    @Test
    void theExpectedCommitNeedNotBeTheHeadButOnTheLine() {
        target(put("y", table("y")));
        source(put("x", table("x")));
        MergeOutcome outcome = catalog.merge(new MergeRequest(
                at(MAIN, base),
                at("side", catalog.head("side")),
                GivenMeta.ofMessage(""),
                MergeMode.NORMAL,
                List.of(),
                false));
        assertThat(((Merged) outcome).report().expected()).isEqualTo(base);
        assertThatThrownBy(() -> catalog.merge(new MergeRequest(
                        at(MAIN, catalog.head("side")),
                        at("side", catalog.head("side")),
                        GivenMeta.ofMessage(""),
                        MergeMode.NORMAL,
                        List.of(),
                        false)))
                .hasMessageContaining("Could not find commit");
    }
}
