package org.anabranch.cli.stories;

import static org.anabranch.cli.stories.CatalogClient.conflicts;
import static org.anabranch.cli.stories.CatalogClient.newName;
import static org.anabranch.cli.stories.CatalogClient.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.projectnessie.error.NessieBadRequestException;
import org.projectnessie.error.NessieContentNotFoundException;
import org.projectnessie.error.NessieReferenceConflictException;
import org.projectnessie.error.NessieReferenceNotFoundException;
import org.projectnessie.model.Branch;
import org.projectnessie.model.CommitMeta;
import org.projectnessie.model.CommitResponse;
import org.projectnessie.model.Content;
import org.projectnessie.model.ContentKey;
import org.projectnessie.model.IcebergTable;
import org.projectnessie.model.IcebergView;
import org.projectnessie.model.ImmutableDeltaLakeTable;
import org.projectnessie.model.MergeBehavior;
import org.projectnessie.model.MergeResponse;
import org.projectnessie.model.Namespace;
import org.projectnessie.model.Operation;
import org.projectnessie.model.Operation.Delete;
import org.projectnessie.model.Operation.Put;
import org.projectnessie.model.Operation.Unchanged;
import org.projectnessie.model.UDF;

/** How a program writes with the published Nessie client: commits, every kind of conflict, merges. */
class NessieClientWritesIT {

    @RegisterExtension
    static final RunningService SERVICE = new RunningService();

    private static final ContentKey A = ContentKey.of("a");
    private static final ContentKey B = ContentKey.of("b");
    private static final ContentKey C = ContentKey.of("c");
    private static final ContentKey SHOP = ContentKey.of("shop");
    private static final ContentKey ORDERS = ContentKey.of("shop", "orders");

    private static CatalogClient client;

    @BeforeAll
    static void open() {
        client = new CatalogClient(SERVICE.api());
    }

    @AfterAll
    static void close() {
        client.close();
    }

    @Nested
    class Commits {

        @Test
        void keepEveryKindOfContentAsItWas() throws Exception {
            Map<ContentKey, Content> contents = Map.of(
                    ContentKey.of("table"), IcebergTable.of("file:///t.json", 1L << 40, 2, 3, 4),
                    ContentKey.of("view"), IcebergView.of("file:///v.json", 5, 6),
                    ContentKey.of("delta"),
                            ImmutableDeltaLakeTable.builder()
                                    .addMetadataLocationHistory("file:///log")
                                    .addCheckpointLocationHistory("file:///checkpoint")
                                    .lastCheckpoint("file:///last")
                                    .build(),
                    ContentKey.of("udf"), UDF.udf("file:///u.json", "7", "8"),
                    ContentKey.of("space"), Namespace.of(Map.of("owner", "étl \u4e2d"), "space"),
                    ContentKey.of("we.ird/k\u00e9y %*"), table(1));
            CommitResponse response = client.commitForResponse(
                    client.emptyBranch("kinds"),
                    "all kinds",
                    contents.entrySet().stream()
                            .map(entry -> Put.of(entry.getKey(), entry.getValue()))
                            .toArray(Operation[]::new));

            Map<ContentKey, String> ids = response.toAddedContentsMap();
            assertThat(ids).containsOnlyKeys(contents.keySet()).doesNotContainValue("");
            Map<ContentKey, Content> read = client.api()
                    .getContent()
                    .reference(response.getTargetBranch())
                    .keys(List.copyOf(contents.keySet()))
                    .get();
            contents.forEach((key, content) -> assertThat(read.get(key)).isEqualTo(content.withId(ids.get(key))));
            for (ContentKey key : contents.keySet()) {
                assertThat(client.content(response.getTargetBranch(), key)).isEqualTo(read.get(key));
            }
        }

        @Test
        void updateRenameAndDeleteUnderOneContentId() throws Exception {
            CommitResponse created =
                    client.commitForResponse(client.emptyBranch("life"), "create", Put.of(A, table(1)));
            String id = created.toAddedContentsMap().get(A);
            Branch updated = client.commit(created.getTargetBranch(), "update", Put.of(A, table(2).withId(id)));
            Branch renamed = client.commit(updated, "rename", Delete.of(A), Put.of(B, table(2).withId(id)));
            Branch deleted = client.commit(renamed, "delete", Delete.of(B));

            assertThat(client.content(updated, A)).isEqualTo(table(2).withId(id));
            assertThat(client.content(renamed, B)).isEqualTo(table(2).withId(id));
            assertThatThrownBy(() -> client.content(renamed, A)).isInstanceOf(NessieContentNotFoundException.class);
            assertThat(client.api().getEntries().reference(deleted).get().getEntries())
                    .isEmpty();
            assertThat(client.content(created.getTargetBranch(), A))
                    .as("an old commit still reads as it was")
                    .isEqualTo(table(1).withId(id));
        }

        @Test
        void onOtherKeysDoNotDisturbEachOther() throws Exception {
            Branch base = client.commit(client.emptyBranch("disjoint"), "base", Put.of(A, table(1)));
            client.commit(base, "b", Put.of(B, table(1)));
            Branch head = client.commit(base, "c, from a stale state", Put.of(C, table(1)));

            assertThat(client.messages(head)).containsExactly("c, from a stale state", "b", "base");
            assertThat(entries(head)).containsExactly("a", "b", "c");
        }

        @Test
        void carryTheMetadataTheyWereGiven() throws Exception {
            Branch branch = client.emptyBranch("meta");
            client.api()
                    .commitMultipleOperations()
                    .branch(branch)
                    .commitMeta(CommitMeta.builder()
                            .message("nightly load")
                            .addAllAuthors("ada", "grace")
                            .addAllSignedOffBy("edsger")
                            .putAllProperties("job", List.of("42", "43"))
                            .build())
                    .operation(Put.of(A, table(1)))
                    .commit();

            CommitMeta meta = client.api().getCommitLog().refName(branch.getName()).stream()
                    .findFirst()
                    .orElseThrow()
                    .getCommitMeta();
            assertThat(meta.getMessage()).isEqualTo("nightly load");
            assertThat(meta.getAllAuthors()).containsExactly("ada", "grace");
            assertThat(meta.getAllSignedOffBy()).containsExactly("edsger");
            assertThat(meta.getAllProperties()).containsEntry("job", List.of("42", "43"));
            assertThat(meta.getParentCommitHashes()).containsExactly(branch.getHash());
            assertThat(meta.getCommitTime()).isNotNull();
        }

        @Test
        void thatMakeNoSenseAreRefusedAndLeaveNothing() throws Exception {
            CommitResponse created =
                    client.commitForResponse(client.emptyBranch("nonsense"), "base", Put.of(A, table(1)));
            Branch base = created.getTargetBranch();
            String id = created.toAddedContentsMap().get(A);

            assertBadRequest(base, Put.of(A, table(2)));
            assertBadRequest(base, Put.of(B, table(1)), Put.of(B, table(2)));
            assertBadRequest(base, Put.of(B, table(2).withId(id)));
            assertBadRequest(base, Put.of(A, IcebergView.of(id, "file:///v.json", 1, 1)));
            assertThat(client.head(base)).isEqualTo(base);
        }

        private void assertBadRequest(Branch base, Operation... operations) {
            assertThatThrownBy(() -> client.commit(base, "nonsense", operations))
                    .isInstanceOf(NessieBadRequestException.class);
        }
    }

    @Nested
    class Conflicts {

        private Branch stale;
        private String idOfA;

        private void begin(String name) throws Exception {
            CommitResponse created = client.commitForResponse(client.emptyBranch(name), "base", Put.of(A, table(1)));
            stale = created.getTargetBranch();
            idOfA = created.toAddedContentsMap().get(A);
        }

        @Test
        void keyExists() throws Exception {
            begin("key-exists");
            client.commit(stale, "first", Put.of(B, table(1)));

            assertConflict("KEY_EXISTS b", Put.of(B, table(2)));
        }

        @Test
        void keyDoesNotExist() throws Exception {
            begin("key-gone");
            client.commit(stale, "first", Delete.of(A));

            assertConflict("KEY_DOES_NOT_EXIST a", Put.of(A, table(2).withId(idOfA)));
            assertConflict("KEY_DOES_NOT_EXIST a", Delete.of(A));
        }

        @Test
        void valueDiffers() throws Exception {
            begin("value");
            client.commit(stale, "first", Put.of(A, table(2).withId(idOfA)));

            assertConflict("VALUE_DIFFERS a", Put.of(A, table(3).withId(idOfA)));
            assertConflict("VALUE_DIFFERS a", Delete.of(A));
            assertConflict("VALUE_DIFFERS a", Unchanged.of(A), Put.of(B, table(1)));
        }

        @Test
        void contentIdDiffers() throws Exception {
            begin("content-id");
            client.commit(stale, "replace", Delete.of(A), Put.of(A, table(1)));

            assertConflict("CONTENT_ID_DIFFERS a", Put.of(A, table(2).withId(idOfA)));
        }

        @Test
        void payloadDiffers() throws Exception {
            begin("payload");
            Branch dropped = client.commit(stale, "drop", Delete.of(A));
            client.commit(dropped, "a view", Put.of(A, IcebergView.of("file:///v.json", 1, 1)));

            assertConflict("PAYLOAD_DIFFERS a", Put.of(A, table(2).withId(idOfA)));
        }

        @Test
        void namespaceAbsent() throws Exception {
            begin("namespace-absent");

            assertConflict("NAMESPACE_ABSENT shop", Put.of(ORDERS, table(1)));
        }

        @Test
        void notANamespace() throws Exception {
            begin("not-a-namespace");

            assertConflict("NOT_A_NAMESPACE a", Put.of(ContentKey.of("a", "orders"), table(1)));
        }

        @Test
        void namespaceNotEmpty() throws Exception {
            begin("namespace-not-empty");
            stale = client.commit(stale, "shop", Put.of(SHOP, Namespace.of("shop")), Put.of(ORDERS, table(1)));

            assertConflict("NAMESPACE_NOT_EMPTY shop", Delete.of(SHOP));
        }

        @Test
        void areToldAllAtOnce() throws Exception {
            begin("all-at-once");
            client.commit(stale, "first", Put.of(A, table(2).withId(idOfA)), Put.of(B, table(1)));

            Branch head = client.head(stale);
            assertRefused(
                    () -> client.commit(
                            stale,
                            "second",
                            Put.of(A, table(3).withId(idOfA)),
                            Put.of(B, table(2)),
                            Put.of(C, table(1))),
                    "KEY_EXISTS b",
                    "VALUE_DIFFERS a");
            assertThat(client.head(stale)).isEqualTo(head);
        }

        @Test
        void unknownStatesAreNotFound() throws Exception {
            begin("unknown-state");
            Branch elsewhere = client.commit(client.emptyBranch("elsewhere"), "other", Put.of(B, table(1)));

            assertThatThrownBy(() -> client.commit(
                            Branch.of(stale.getName(), elsewhere.getHash()), "from elsewhere", Put.of(C, table(1))))
                    .isInstanceOf(NessieReferenceNotFoundException.class);
            assertThatThrownBy(() -> client.commit(
                            Branch.of(newName("no-such"), stale.getHash()), "nowhere", Put.of(C, table(1))))
                    .isInstanceOf(NessieReferenceNotFoundException.class);
        }

        private void assertConflict(String conflict, Operation... operations) throws Exception {
            Branch head = client.head(stale);
            assertRefused(() -> client.commit(stale, "too late", operations), conflict);
            assertThat(client.head(stale)).isEqualTo(head);
        }
    }

    @Nested
    class Merges {

        @Test
        void bringAllChangesAsOneCommit() throws Exception {
            CommitResponse created = client.commitForResponse(
                    client.emptyBranch("target"), "base", Put.of(A, table(1)), Put.of(B, table(1)));
            Branch base = created.getTargetBranch();
            String idOfA = created.toAddedContentsMap().get(A);
            Branch source = client.branch("source", base);
            source = client.commit(source, "a", Put.of(A, table(2).withId(idOfA)));
            source = client.commit(source, "b and c", Delete.of(B), Put.of(C, table(1)));
            Branch target = client.commit(base, "meanwhile", Put.of(ContentKey.of("d"), table(1)));

            MergeResponse dryRun = merge(source, target, true);
            assertThat(dryRun.wasSuccessful()).isTrue();
            assertThat(dryRun.wasApplied()).isFalse();
            assertThat(client.head(target)).isEqualTo(target);

            MergeResponse merged = merge(source, target, false);
            assertThat(merged.wasApplied()).isTrue();
            assertThat(merged.getCommonAncestor()).isEqualTo(base.getHash());
            assertThat(merged.getDetails())
                    .extracting(detail -> detail.getKey().toString())
                    .containsExactlyInAnyOrder("a", "b", "c");
            Branch head = client.head(target);
            assertThat(merged.getResultantTargetHash()).isEqualTo(head.getHash());
            assertThat(entries(head)).containsExactly("a", "c", "d");
            assertThat(client.content(head, A)).isEqualTo(table(2).withId(idOfA));
            assertThat(client.api().getCommitLog().reference(head).stream()
                            .findFirst()
                            .orElseThrow()
                            .getCommitMeta()
                            .getParentCommitHashes())
                    .containsExactly(target.getHash(), source.getHash());

            assertThat(merge(source, head, false).wasApplied())
                    .as("a second merge has nothing to do")
                    .isFalse();
        }

        @Test
        void againBringOnlyWhatIsNew() throws Exception {
            Branch target = client.commit(client.emptyBranch("target"), "base", Put.of(A, table(1)));
            Branch source = client.commit(client.branch("source", target), "b", Put.of(B, table(1)));
            merge(source, target, false);
            source = client.commit(source, "c", Put.of(C, table(1)));

            MergeResponse second = merge(source, client.head(target), false);

            assertThat(second.getDetails())
                    .extracting(detail -> detail.getKey().toString())
                    .containsExactly("c");
            assertThat(entries(client.head(target))).containsExactly("a", "b", "c");
        }

        @Test
        void inConflictWriteNothingAndNameTheKeys() throws Exception {
            CommitResponse created =
                    client.commitForResponse(client.emptyBranch("target"), "base", Put.of(A, table(1)));
            Branch base = created.getTargetBranch();
            String id = created.toAddedContentsMap().get(A);
            Branch source = client.branch("source", base);
            source = client.commit(
                    source, "theirs", Put.of(A, table(2).withId(id)), Put.of(B, table(1)), Put.of(C, table(1)));
            Branch target = client.commit(base, "ours", Put.of(A, table(3).withId(id)), Put.of(B, table(2)));

            Branch from = source;
            assertRefused(() -> merge(from, target, false), "KEY_EXISTS b", "VALUE_DIFFERS a");
            MergeResponse asResult = client.api()
                    .mergeRefIntoBranch()
                    .branch(target)
                    .fromRef(source)
                    .returnConflictAsResult(true)
                    .merge();
            assertThat(asResult.wasSuccessful()).isFalse();
            assertThat(asResult.wasApplied()).isFalse();
            assertThat(asResult.getDetails().stream()
                            .filter(detail -> detail.getConflict() != null)
                            .map(detail -> detail.getKey().toString()))
                    .containsExactlyInAnyOrder("a", "b");
            assertThat(client.head(target)).isEqualTo(target);
        }

        @Test
        void carryRenamesAsOne() throws Exception {
            CommitResponse created =
                    client.commitForResponse(client.emptyBranch("target"), "base", Put.of(A, table(1)));
            Branch base = created.getTargetBranch();
            String id = created.toAddedContentsMap().get(A);
            Branch source = client.commit(
                    client.branch("source", base), "rename", Delete.of(A), Put.of(B, table(1).withId(id)));
            Branch target = client.commit(base, "meanwhile", Put.of(C, table(1)));

            assertThat(merge(source, target, false).wasApplied()).isTrue();
            assertThat(entries(client.head(target))).containsExactly("b", "c");
            assertThat(client.content(client.head(target), B)).isEqualTo(table(1).withId(id));
        }

        private MergeResponse merge(Branch source, Branch target, boolean dryRun) throws Exception {
            return client.api()
                    .mergeRefIntoBranch()
                    .branch(target)
                    .fromRef(source)
                    .defaultMergeMode(MergeBehavior.NORMAL)
                    .dryRun(dryRun)
                    .merge();
        }
    }

    private static List<String> entries(Branch branch) throws Exception {
        return client.api().getEntries().reference(branch).stream()
                .map(entry -> entry.getName().toString())
                .toList();
    }

    private static void assertRefused(ThrowingCallable call, String... conflicts) {
        NessieReferenceConflictException refusal = catchThrowableOfType(NessieReferenceConflictException.class, call);
        assertThat(refusal).as("the refusal").isNotNull();
        assertThat(conflicts(refusal)).containsExactly(conflicts);
    }
}
