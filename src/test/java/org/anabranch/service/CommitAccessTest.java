package org.anabranch.service;

import static org.anabranch.testing.Callers.ruled;
import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.at;
import static org.anabranch.testing.TestCatalog.delete;
import static org.anabranch.testing.TestCatalog.key;
import static org.anabranch.testing.TestCatalog.namespace;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.anabranch.testing.TestCatalog.unchanged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitOutcome;
import org.anabranch.model.CommitOutcome.Committed;
import org.anabranch.model.CommitOutcome.Conflicted;
import org.anabranch.model.CommitRequest;
import org.anabranch.model.Conflict;
import org.anabranch.model.ConflictType;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.GivenMeta;
import org.anabranch.model.IcebergView;
import org.anabranch.model.Idempotency;
import org.anabranch.model.Operation;
import org.anabranch.model.RefSpec;
import org.anabranch.model.RefusedException;
import org.anabranch.security.Access;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.Callers;
import org.anabranch.testing.FaultyStore;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.commit.WriteLimits;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the rules say to commits, and that refusals tell nothing of what their callers may not read. */
class CommitAccessTest {

    private static final String READ = "allow: [read], references: [main]\n";

    private final MemoryStore memory = new MemoryStore();
    private final FaultyStore store = new FaultyStore(memory);
    private final TestCatalog catalog = new TestCatalog(store, memory, WriteLimits.DEFAULT, 0);
    private final TestCatalog other = new TestCatalog(memory, memory, WriteLimits.DEFAULT, 1_000_000);
    private Content t;

    @BeforeEach
    void fill() {
        catalog.commit(MAIN, put("s", namespace()), put("s.t", table("one")), put("h", table("hidden")));
        t = catalog.content(MAIN, "s.t");
    }

    private static CommitRequest request(String branch, CommitId expected, Operation... operations) {
        return new CommitRequest(at(branch, expected), GivenMeta.ofMessage("commit"), List.of(operations));
    }

    private CommitOutcome commit(String rules, Operation... operations) {
        return catalog.commit(request(MAIN, catalog.head(MAIN), operations), ruled("ann", rules));
    }

    private RefusedException refusal(ErrorCode code, String rules, Operation... operations) {
        CommitId before = catalog.head(MAIN);
        RefusedException refusal = refusal(() -> commit(rules, operations));
        assertThat(refusal.code()).as(refusal.getMessage()).isEqualTo(code);
        assertThat(catalog.head(MAIN)).isEqualTo(before);
        return refusal;
    }

    private static RefusedException refusal(ThrowingCallable call) {
        return catchThrowableOfType(RefusedException.class, call);
    }

    private void denied(String message, String rules, Operation... operations) {
        assertThat(refusal(ErrorCode.FORBIDDEN, rules, operations)).hasMessage("Not allowed for 'ann': " + message);
    }

    private void allowed(String rules, Operation... operations) {
        assertThat(commit(rules, operations)).isInstanceOf(Committed.class);
    }

    @Test
    void eachOperationAsksForWhatItComesTo() {
        String create = READ + "allow: [create], references: [main], keys: ['s.*']";
        denied(
                "COMMIT_CHANGE_AGAINST_REFERENCE on 'main', CREATE_ENTITY of 's.new' on 'main'",
                READ,
                put("s.new", table("x")));
        denied("UPDATE_ENTITY of 's.t' on 'main'", create, put("s.t", table("two"), t.id()));
        denied("DELETE_ENTITY of 's.t' on 'main'", create, delete("s.t"));
        allowed(create, put("s.new", table("x")));

        String update = READ + "allow: [update], references: [main]";
        denied("CREATE_ENTITY of 'new' on 'main'", update, put("new", table("x")));
        allowed(update, put("s.t", table("two"), t.id()));
    }

    @Test
    void aKeyThatIsDeletedAndPutIsADeleteAndACreate() {
        String replace = "allow: [delete, create], references: [main]";
        denied("DELETE_ENTITY of 's.t' on 'main'", READ + "allow: [create]", delete("s.t"), put("s.t", table("x")));
        denied("CREATE_ENTITY of 's.t' on 'main'", READ + "allow: [delete]", delete("s.t"), put("s.t", table("x")));
        allowed(READ + replace, delete("s.t"), put("s.t", table("x")));
    }

    @Test
    void aRenameIsADeleteAndAnUpdate() {
        String rename = READ + "allow: [delete], keys: ['s.*']\n";
        Operation[] operations = {delete("s.t"), put("u", t, t.id())};
        denied("UPDATE_ENTITY of 'u' on 'main'", rename, operations);
        denied("DELETE_ENTITY of 's.t' on 'main'", READ + "allow: [update]", operations);
        allowed(rename + "allow: [update], keys: [u]", operations);
    }

    @Test
    void allThatIsNotAllowedIsToldAtOnce() {
        denied(
                "DELETE_ENTITY of 's.t' on 'main', CREATE_ENTITY of 'a' on 'main', CREATE_ENTITY of 'b' on 'main'",
                READ + "allow: [create], keys: ['s.*']",
                delete("s.t"),
                put("a", table("a")),
                put("s.c", table("c")),
                put("b", table("b")));
    }

    /** The commit is as wrong as it can be besides, which whoever may not make it does not learn. */
    @Test
    void thatItIsNotAllowedIsToldBeforeThatItIsWrong() {
        refusal(ErrorCode.BAD_REQUEST, READ + "allow: [write]", put("s.t", table("x")));
        denied("CREATE_ENTITY of 's.t' on 'main'", READ + "allow: [update]", put("s.t", table("x")));
        denied("CREATE_ENTITY of 'no.t' on 'main'", READ + "allow: [update]", put("no.t", table("x")));
    }

    @Test
    void aBranchThatMayNotBeSeenIsNotThere() {
        String rules = "allow: [all], references: [other]";
        RefusedException hidden = refusal(ErrorCode.REFERENCE_NOT_FOUND, rules, put("x", table("x")));
        RefusedException absent = refusal(() ->
                catalog.commit(request("absent", catalog.head(MAIN), put("x", table("x"))), ruled("ann", rules)));
        assertThat(hidden.getMessage().replace(MAIN, "absent")).isEqualTo(absent.getMessage());
        assertThat(hidden.code()).isEqualTo(absent.code());
        assertThat(hidden.denial())
                .isEqualTo("Not allowed for 'ann': VIEW_REFERENCE on 'main'")
                .isEqualTo(absent.denial().replace("absent", MAIN));
    }

    /** What h holds, and that it holds something, makes no difference. */
    @Test
    void aKeyThatMayNotBeReadIsAnsweredAlikeWhetherItIsThereOrNot() {
        String blind = "allow: [read], references: [main], keys: ['s.*']\nallow: [create], references: [main]\n";
        for (Operation there : List.of(
                put("h", table("x")), put("h", table("x"), catalog.id(MAIN, "h")), delete("h"), unchanged("h"))) {
            Operation notThere =
                    switch (there) {
                        case Operation.Put put -> new Operation.Put(TestCatalog.key("g"), put.content());
                        case Operation.Delete delete -> delete("g");
                        case Operation.Unchanged unchanged -> unchanged("g");
                    };
            String told = refusal(ErrorCode.FORBIDDEN, blind, there).getMessage();
            assertThat(told.replace("'h'", "'g'"))
                    .isEqualTo(refusal(ErrorCode.FORBIDDEN, blind, notThere).getMessage());
        }
        denied("UPDATE_ENTITY of 'h' on 'main'", blind, put("h", table("x")));
        denied("READ_CONTENT_KEY of 'h' on 'main'", blind, unchanged("h"));
        allowed(blind + "allow: [update]", put("g", table("x")));
    }

    @Test
    void aKeyIsReadOnlyIfItsTypeIs() {
        String views = "allow: [read], references: [main], types: [ICEBERG_VIEW, NAMESPACE]\n"
                + "allow: [create], references: [main], types: [ICEBERG_VIEW]";
        denied("UPDATE_ENTITY of 'h' on 'main'", views, put("h", view()));
        denied("UPDATE_ENTITY of 'g' on 'main'", views, put("g", view()));
        denied(
                "DELETE_ENTITY of 's.t' on 'main'",
                "allow: [read, write], references: [main], types: [ICEBERG_VIEW, NAMESPACE]",
                delete("s.t"));
    }

    private static Content view() {
        return new IcebergView(null, "metadata", 1, 1, null, null);
    }

    @Test
    void whoMayWriteAndNotReadIsNotToldWhatAKeyHolds() {
        String blind = "allow: [write], references: [main]\nallow: [read], references: [main], keys: ['s.*']";
        RefusedException wrong = refusal(ErrorCode.BAD_REQUEST, blind, put("h", table("x")));
        assertThat(wrong)
                .hasMessageContaining("'h'")
                .hasMessageNotContaining(catalog.id(MAIN, "h").toString());
        RefusedException right = refusal(ErrorCode.BAD_REQUEST, READ + "allow: [write]", put("h", table("x")));
        assertThat(right).hasMessageContaining(catalog.id(MAIN, "h").toString());
    }

    @Test
    void whoMayWriteAndNotReadIsNotToldHowAKeyChanged() {
        String blind = "allow: [write], references: [main]\nallow: [read], references: [main], keys: ['s.*']";
        ContentId id = catalog.id(MAIN, "h");
        CommitId before = catalog.head(MAIN);
        CommitId changed = catalog.commit(MAIN, put("h", table("changed"), id));
        catalog.commit(MAIN, delete("h"), put("h", view()));

        for (CommitId expected : List.of(before, changed)) {
            Conflicted hidden = (Conflicted) catalog.commit(request(MAIN, expected, delete("h")), ruled("ann", blind));
            assertThat(hidden.conflicts()).containsExactly(Conflict.of(ConflictType.KEY_EXISTS, key("h")));
        }
        Conflicted seen =
                (Conflicted) catalog.commit(request(MAIN, before, delete("h")), ruled("ann", READ + "allow: [write]"));
        assertThat(seen.conflicts()).containsExactly(Conflict.of(ConflictType.PAYLOAD_DIFFERS, key("h")));
    }

    @Test
    void whatANamespaceIsInsteadIsNotTold() {
        String rules = "allow: [read, write], references: [main], keys: ['h.*', 'g.*']";
        Conflicted hidden = (Conflicted) commit(rules, put("h.x", table("x")));
        Conflicted absent = (Conflicted) commit(rules, put("g.x", table("x")));
        assertThat(hidden.message().replace("'h'", "'g'")).isEqualTo(absent.message());
        assertThat(hidden.conflicts().get(0).conflictType())
                .isEqualTo(absent.conflicts().get(0).conflictType());
    }

    /** A commit of another branch leads by steps to one of this branch. */
    @Test
    void stepsDoNotStartFromWhatMayNotBeSeen() {
        catalog.branch("secret", MAIN);
        CommitId secret = catalog.commit("secret", put("x", table("x")));
        String there = secret.toString();
        String absent = "ab".repeat(32);
        Access ann = ruled("ann", "allow: [read, write], references: [main]");
        assertThat(stepFrom(there, ann).replace(there, absent)).isEqualTo(stepFrom(absent, ann));
    }

    private String stepFrom(String hash, Access access) {
        CommitRequest request = new CommitRequest(
                RefSpec.parse("main@" + hash + "~1"), GivenMeta.ofMessage(""), List.of(put("y", table("y"))));
        return refusal(() -> catalog.commit(request, access)).getMessage();
    }

    /** What was asked about is still so when the commit is published, or the commit is in conflict. */
    @Test
    void whatChangesMeanwhileIsAConflictAndNotAnotherRight() {
        ContentId id = t.id();
        meanwhile(() -> other.commit(MAIN, delete("s.t")));
        assertThat(commit(READ + "allow: [update]", put("s.t", table("two"), id)))
                .isInstanceOf(Conflicted.class);

        meanwhile(() -> other.commit(MAIN, put("s.new", table("theirs"))));
        assertThat(commit(READ + "allow: [create]", put("s.new", table("mine"))))
                .isInstanceOf(Conflicted.class);
        assertThat(catalog.content(MAIN, "s.new")).isEqualTo(table("theirs").withId(catalog.id(MAIN, "s.new")));
    }

    private void meanwhile(Runnable foreign) {
        store.foreignFirst(store.writes() + 1, foreign);
    }

    @Test
    void aRepeatAnswersWhoWroteAndStillMaySeeTheBranch() {
        Idempotency key = new Idempotency("k", new byte[] {1});
        CommitRequest request = request(MAIN, catalog.head(MAIN), put("new", table("x")));
        Access ann = ruled("ann", READ + "allow: [write], users: [ann]");
        CommitOutcome first = catalog.commit(request, ann, key);
        assertThat(first).isInstanceOf(Committed.class);

        assertThat(catalog.commit(request, ann, key)).isEqualTo(first);
        assertThat(catalog.commit(request, ruled("ann", READ), key))
                .as("allowed when it was made")
                .isEqualTo(first);
        assertThat(refusal(() -> catalog.commit(request, ruled("bob", READ), key))
                        .code())
                .isEqualTo(ErrorCode.FORBIDDEN);
        assertThat(refusal(() -> catalog.commit(request, ruled("ann", "allow: [all], references: [x]"), key))
                        .code())
                .isEqualTo(ErrorCode.REFERENCE_NOT_FOUND);
        assertThat(catalog.commit(request, Callers.unrestricted("bob"), key)).isInstanceOf(Conflicted.class);
    }
}
