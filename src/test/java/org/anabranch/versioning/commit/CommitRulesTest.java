package org.anabranch.versioning.commit;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.delete;
import static org.anabranch.testing.TestCatalog.key;
import static org.anabranch.testing.TestCatalog.namespace;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.anabranch.testing.TestCatalog.unchanged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitOutcome;
import org.anabranch.model.CommitOutcome.Committed;
import org.anabranch.model.CommitOutcome.Conflicted;
import org.anabranch.model.CommitRequest;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.GivenMeta;
import org.anabranch.model.IcebergView;
import org.anabranch.model.Operation;
import org.anabranch.model.RefusedException;
import org.anabranch.store.Store;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.TestCatalog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of one commit, by what its caller saw and what the head holds. */
class CommitRulesTest {

    private static final Content VIEW = new IcebergView(null, "view", 1, 1, null, null);
    private static final ContentId FOREIGN = new ContentId(new UUID(9, 9));

    private TestCatalog catalog;
    private CommitId seen;
    private ContentId id;

    /** An empty one. */
    Store newStore() {
        return new MemoryStore();
    }

    /** Namespace n with n.t, and a table u; the caller saw this. */
    @BeforeEach
    void base() {
        catalog = new TestCatalog(newStore());
        seen = catalog.commit(MAIN, put("n", namespace()), put("n.t", table("t0")), put("u", table("u0")));
        id = catalog.id(MAIN, "u");
    }

    @AfterEach
    void close() {
        catalog.close();
        catalog.store().close();
    }

    private List<String> conflicts(Operation... operations) {
        CommitId before = catalog.head(MAIN);
        CommitOutcome outcome = catalog.commitAt(MAIN, seen, operations);
        assertThat(outcome).isInstanceOf(Conflicted.class);
        assertThat(catalog.head(MAIN)).isEqualTo(before);
        return ((Conflicted) outcome)
                .conflicts().stream()
                        .map(conflict -> conflict.conflictType() + " " + conflict.key())
                        .toList();
    }

    private Committed commit(Operation... operations) {
        CommitOutcome outcome = catalog.commitAt(MAIN, seen, operations);
        assertThat(outcome).isInstanceOf(Committed.class);
        return (Committed) outcome;
    }

    private void assertBadRequest(String key, Operation... operations) {
        CommitId before = catalog.head(MAIN);
        assertThatThrownBy(() -> catalog.commitAt(MAIN, seen, operations))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_REQUEST))
                .hasMessageContaining("'" + key + "'");
        assertThat(catalog.head(MAIN)).isEqualTo(before);
    }

    /** Moves the head on: what a second writer did to {@code u} meanwhile. */
    private void meanwhile(String what) {
        switch (what) {
            case "nothing" -> catalog.commit(MAIN, put("elsewhere", table("x")));
            case "same" -> catalog.commit(MAIN, put("u", table("u0"), id));
            case "back" -> {
                catalog.commit(MAIN, put("u", table("u1"), id));
                catalog.commit(MAIN, put("u", table("u0"), id));
            }
            case "value" -> catalog.commit(MAIN, put("u", table("u1"), id));
            case "id" -> catalog.commit(MAIN, delete("u"), put("u", table("u0")));
            case "type" -> catalog.commit(MAIN, delete("u"), put("u", VIEW));
            case "gone" -> catalog.commit(MAIN, delete("u"));
            default -> throw new IllegalArgumentException(what);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "nothing, OK",
        "same, OK",
        "back, OK",
        "value, VALUE_DIFFERS",
        "id, CONTENT_ID_DIFFERS",
        "type, PAYLOAD_DIFFERS",
        "gone, KEY_DOES_NOT_EXIST"
    })
    void whatIsSeenIsComparedByValue(String change, String expected) {
        meanwhile(change);
        List<Operation[]> requests = List.of(
                new Operation[] {put("u", table("mine"), id)},
                new Operation[] {delete("u")},
                new Operation[] {unchanged("u")},
                new Operation[] {delete("u"), put("u", table("mine"))},
                new Operation[] {delete("u"), put("v", table("mine"), id)});
        for (Operation[] request : requests) {
            if (!expected.equals("OK")) {
                assertThat(conflicts(request)).containsExactly(expected + " u");
            }
        }
        if (expected.equals("OK")) {
            commit(unchanged("u"));
            commit(put("u", table("mine"), id));
        }
    }

    @Test
    void aCreatedKeyMustBeFree() {
        catalog.commit(MAIN, put("new", table("theirs")));
        assertThat(conflicts(put("new", table("mine")))).containsExactly("KEY_EXISTS new");
        assertThat(conflicts(delete("u"), put("new", table("mine"), id))).containsExactly("KEY_EXISTS new");
        assertThat(conflicts(delete("new"))).containsExactly("PAYLOAD_DIFFERS new");
        assertThat(conflicts(unchanged("new"))).containsExactly("PAYLOAD_DIFFERS new");
        assertThat(conflicts(delete("new"), put("new", table("mine")))).containsExactly("PAYLOAD_DIFFERS new");
    }

    @Test
    void whatWasNeverThereCannotBeDeleted() {
        assertThat(conflicts(delete("nothing"))).containsExactly("KEY_DOES_NOT_EXIST nothing");
        assertThat(conflicts(delete("nothing"), put("nothing", table("x"))))
                .containsExactly("KEY_DOES_NOT_EXIST nothing");
    }

    @Test
    void allConflictsAreReportedDeletionsThenExpectationsThenPuts() {
        ContentId t = catalog.id(MAIN, "n.t");
        catalog.commit(
                MAIN,
                put("u", table("u1"), id),
                put("n.t", table("t1"), t),
                put("a", table("a")),
                put("b", table("b")));
        assertThat(conflicts(put("b", table("mine")), put("u", table("mine"), id), unchanged("a"), delete("n.t")))
                .containsExactly("VALUE_DIFFERS n.t", "PAYLOAD_DIFFERS a", "KEY_EXISTS b", "VALUE_DIFFERS u");
        Conflicted outcome = (Conflicted) catalog.commitAt(MAIN, seen, delete("n.t"), put("b", table("mine")));
        assertThat(outcome.message())
                .isEqualTo(
                        "Several conflicts prevent this commit: values of existing and expected content for key 'n.t' "
                                + "are different, key 'b' already exists.");
        Conflicted single = (Conflicted) catalog.commitAt(MAIN, seen, put("b", table("mine")));
        assertThat(single.message()).isEqualTo("Key 'b' already exists.");
    }

    @Test
    void onlyCreatedContentsGetNewIds() {
        Committed created = commit(put("x", table("x")), put("u", table("u1"), id), delete("n.t"), put("n.t", VIEW));
        assertThat(created.newIds().keySet()).containsExactly(key("n.t"), key("x"));
        assertThat(created.newIds().get(key("x"))).isEqualTo(catalog.id(MAIN, "x"));
        assertThat(created.branch()).isEqualTo(MAIN);
        assertThat(created.head()).isEqualTo(catalog.head(MAIN));
    }

    @Test
    void anIdenticalPutAndAMereExpectationAreCommitsToo() {
        commit(put("u", table("u0"), id));
        commit(unchanged("u"));
        assertThat(catalog.log(MAIN)).hasSize(3);
        assertThat(catalog.objects().operations(catalog.log(MAIN).get(0))).isEmpty();
        assertThat(catalog.objects().operations(catalog.log(MAIN).get(1))).hasSize(1);
    }

    @Test
    void aRenameKeepsTheContentId() {
        Committed renamed = commit(put("n.v", table("changed on the way"), id), delete("u"));
        assertThat(renamed.newIds()).isEmpty();
        assertThat(catalog.contents(MAIN)).doesNotContainKey(key("u"));
        assertThat(catalog.content(MAIN, "n.v"))
                .isEqualTo(table("changed on the way").withId(id));
    }

    @Nested
    class BadRequests {

        @Test
        void ofContentIds() {
            assertBadRequest("u", put("u", table("x")));
            assertBadRequest("u", put("u", table("x"), FOREIGN));
            assertBadRequest("new", put("new", table("x"), FOREIGN));
            assertBadRequest("new", put("new", table("x"), id));
            assertBadRequest("u", delete("u"), put("u", table("x"), id));
            assertBadRequest("b", delete("u"), put("a", table("x"), id), put("b", table("x"), id));
            assertBadRequest("n.t", delete("u"), put("n.t", table("x"), id));
        }

        /** Published clients look for these words and show them. */
        @Test
        void ofContentIdsAreExplainedInTheWordsThatClientsKnow() {
            assertThatThrownBy(() -> catalog.commitAt(MAIN, seen, put("u", table("x"))))
                    .hasMessageContaining("has no content ID");
            assertThatThrownBy(() -> catalog.commitAt(MAIN, seen, put("u", table("x"), FOREIGN)))
                    .hasMessageContaining("different from the content ID");
            assertThatThrownBy(() -> catalog.commitAt(MAIN, seen, put("new", table("x"), FOREIGN)))
                    .hasMessageContaining("must not have a content ID");
        }

        @Test
        void ofIdsThatAreGone() {
            seen = catalog.commit(MAIN, delete("u"));
            assertBadRequest("u", put("u", table("x"), id));
            assertBadRequest("v", delete("u"), put("v", table("x"), id));
        }

        @Test
        void ofKeysInSeveralOperations() {
            assertBadRequest("u", put("u", table("x"), id), put("u", table("y"), id));
            assertBadRequest("u", delete("u"), delete("u"));
            assertBadRequest("u", put("u", table("x"), id), delete("u"));
            assertBadRequest("u", put("w", table("x")), unchanged("u"), delete("u"));
            assertBadRequest("u", unchanged("u"), unchanged("u"));
            assertBadRequest("u", delete("u"), put("u", table("x")), put("u", table("y")));
        }
    }

    @Nested
    class ExpectedCommits {

        @Test
        void mayBeNoAncestor() {
            seen = CommitId.NO_ANCESTOR;
            commit(put("x", table("x")));
            assertThat(conflicts(put("u", table("mine")))).containsExactly("KEY_EXISTS u");
        }

        @Test
        void mustBeOnTheFirstParentLine() {
            catalog.branch("side", MAIN);
            CommitId side = catalog.commit("side", put("x", table("x")));
            assertNotInBranch(side);
            catalog.commit(MAIN, put("y", table("y")));
            catalog.merge("side", MAIN);
            assertNotInBranch(side);
            assertNotInBranch(CommitId.parse("11".repeat(32)));
        }

        private void assertNotInBranch(CommitId expected) {
            assertThatThrownBy(() -> catalog.commitAt(MAIN, expected, put("z", table("z"))))
                    .isInstanceOfSatisfying(
                            RefusedException.class,
                            refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.REFERENCE_NOT_FOUND))
                    .hasMessageContaining("Could not find commit '" + expected + "' in reference 'main'");
        }
    }

    @Nested
    class Namespaces {

        @Test
        void everyMissingAncestorIsReportedNearestFirst() {
            assertThat(conflicts(put("x.y.z.t", table("x"))))
                    .containsExactly("NAMESPACE_ABSENT x.y.z", "NAMESPACE_ABSENT x.y", "NAMESPACE_ABSENT x");
            assertThat(conflicts(put("n.y.t", table("x")), put("n.y.u", table("x"))))
                    .containsExactly("NAMESPACE_ABSENT n.y");
        }

        @Test
        void theNearestAncestorMustBeANamespace() {
            assertThat(conflicts(put("u.x", table("x")))).containsExactly("NOT_A_NAMESPACE u");
            assertThat(conflicts(put("u.x.y", table("x"))))
                    .containsExactly("NAMESPACE_ABSENT u.x", "NOT_A_NAMESPACE u");
            assertThat(conflicts(put("u", table("u1"), id), put("u.x", table("x"))))
                    .containsExactly("NOT_A_NAMESPACE u");
            assertThat(conflicts(put("w", table("w")), put("w.x", table("x")))).containsExactly("NAMESPACE_ABSENT w");
        }

        @Test
        void theyMayBeMadeInTheSameCommitInAnyOrder() {
            commit(put("a.b.t", table("x")), put("a.b", namespace()), put("a", namespace()));
        }

        @Test
        void theHeadCountsNotWhatWasSeen() {
            catalog.commit(MAIN, put("late", namespace()), delete("n.t"), delete("n"));
            commit(put("late.t", table("x")));
            assertThat(conflicts(put("n.x", table("x")))).containsExactly("NAMESPACE_ABSENT n");
        }

        @Test
        void theyMustBeEmptyToBeDeleted() {
            assertThat(conflicts(delete("n"))).containsExactly("NAMESPACE_NOT_EMPTY n");
            assertThat(conflicts(delete("n"), put("n", namespace()))).containsExactly("NAMESPACE_NOT_EMPTY n");
            catalog.commit(MAIN, put("n.sub", namespace()));
            assertThat(conflicts(delete("n.t"), delete("n"))).containsExactly("NAMESPACE_NOT_EMPTY n");
            catalog.commit(MAIN, delete("n.sub"));
            commit(delete("n"), delete("n.t"));
        }

        @Test
        void aNeighbourIsNotBelow() {
            catalog.commit(MAIN, put("n1", namespace()), put("n1.t", table("x")), delete("n.t"));
            commit(delete("n"));
        }

        @Test
        void aKeyMovedOutEmptiesIts() {
            ContentId t = catalog.id(MAIN, "n.t");
            commit(delete("n"), delete("n.t"), put("t", table("t0"), t));
        }

        @Test
        void theirConflictsComeAlone() {
            catalog.commit(MAIN, put("u", table("u1"), id));
            assertThat(conflicts(put("u", table("mine"), id), put("x.t", table("x")), delete("n")))
                    .containsExactly("NAMESPACE_ABSENT x", "NAMESPACE_NOT_EMPTY n");
        }
    }

    @Nested
    class PeerDefects {

        @Test
        void aContentKeepsItsType() {
            assertBadRequest("u", put("u", VIEW, id));
            assertBadRequest("v", delete("u"), put("v", VIEW, id));
            commit(delete("u"), put("u", VIEW));
            assertThat(catalog.content(MAIN, "u").type()).isEqualTo(VIEW.type());
            assertThat(catalog.id(MAIN, "u")).isNotEqualTo(id);
        }

        @Test
        void propertiesCannotForgeMetadata() {
            GivenMeta meta = new GivenMeta(
                    "real",
                    List.of(),
                    null,
                    List.of(),
                    Map.of("committer", List.of("forged"), "author", List.of("forged"), "date", List.of("0")));
            catalog.commit(new CommitRequest(TestCatalog.at(MAIN, seen), meta, List.of(put("x", table("x")))), "ada");
            var stored = catalog.log(MAIN).get(0).requireMeta();
            assertThat(stored.committer()).isEqualTo("ada");
            assertThat(stored.authors()).containsExactly("ada");
            assertThat(stored.properties()).containsEntry("committer", List.of("forged"));
        }

        @Test
        void aNamespaceCannotBeDeletedUnderNewContent() {
            seen = catalog.commit(MAIN, delete("n.t"));
            assertThat(conflicts(delete("n"), put("n.x", table("x")))).containsExactly("NAMESPACE_ABSENT n");
            commit(delete("n"), put("n", namespace()), put("n.x", table("x")));
        }

        @Test
        void whatWasAndIsAbsentIsUnchanged() {
            meanwhile("nothing");
            commit(unchanged("never there"), put("x", table("x")));
        }

        @Test
        void twoNamesAreExchangedInOneCommit() {
            ContentId t = catalog.id(MAIN, "n.t");
            Committed exchanged =
                    commit(delete("u"), delete("n.t"), put("u", table("t0"), t), put("n.t", table("u0"), id));
            assertThat(exchanged.newIds()).isEmpty();
            assertThat(catalog.id(MAIN, "u")).isEqualTo(t);
            assertThat(catalog.id(MAIN, "n.t")).isEqualTo(id);

            assertThat(conflicts(delete("u"), delete("n.t"), put("u", table("t0"), t), put("n.t", table("u0"), id)))
                    .containsExactly("CONTENT_ID_DIFFERS u", "CONTENT_ID_DIFFERS n.t");
        }
    }
}
