package org.anabranch.cli.stories;

import static org.anabranch.cli.stories.CatalogClient.conflicts;
import static org.anabranch.cli.stories.CatalogClient.newName;
import static org.anabranch.cli.stories.CatalogClient.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.projectnessie.error.NessieContentNotFoundException;
import org.projectnessie.error.NessieReferenceAlreadyExistsException;
import org.projectnessie.error.NessieReferenceConflictException;
import org.projectnessie.error.NessieReferenceNotFoundException;
import org.projectnessie.model.Branch;
import org.projectnessie.model.CommitResponse;
import org.projectnessie.model.ContentKey;
import org.projectnessie.model.DiffResponse.DiffEntry;
import org.projectnessie.model.EntriesResponse;
import org.projectnessie.model.FetchOption;
import org.projectnessie.model.IcebergTable;
import org.projectnessie.model.LogResponse.LogEntry;
import org.projectnessie.model.Namespace;
import org.projectnessie.model.NessieConfiguration;
import org.projectnessie.model.Operation;
import org.projectnessie.model.Operation.Delete;
import org.projectnessie.model.Operation.Put;
import org.projectnessie.model.Reference;
import org.projectnessie.model.Tag;

/** How a program uses references and reads with the published Nessie client. */
class NessieClientReadsIT {

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

    @Test
    void handshakeNamesTheApiAndTheDefaultBranch() {
        NessieConfiguration config = client.api().getConfig();

        assertThat(config.getDefaultBranch()).isEqualTo("main");
        assertThat(config.getActualApiVersion()).isEqualTo(2);
        assertThat(config.getSpecVersion()).isEqualTo("2.2.0");
        assertThat(config.getNoAncestorHash()).hasSize(64);
    }

    @Nested
    class References {

        @Test
        void areCreatedReadAssignedAndDeleted() throws Exception {
            Branch first = client.commit(client.emptyBranch("refs"), "one", Put.of(A, table(1)));
            Branch second = client.commit(first, "two", Put.of(B, table(1)));
            Tag tag = (Tag) client.api()
                    .createReference()
                    .sourceRefName(first.getName())
                    .reference(Tag.of(newName("tag"), first.getHash()))
                    .create();
            assertThat(client.api().getReference().refName(tag.getName()).get()).isEqualTo(tag);

            Reference moved = client.api()
                    .assignReference()
                    .reference(tag)
                    .assignTo(second)
                    .assignAndGet();
            assertThat(moved).isEqualTo(Tag.of(tag.getName(), second.getHash()));

            Reference deleted = client.api().deleteReference().reference(moved).getAndDelete();
            assertThat(deleted).isEqualTo(moved);
            assertThatThrownBy(() ->
                            client.api().getReference().refName(tag.getName()).get())
                    .isInstanceOf(NessieReferenceNotFoundException.class);
        }

        @Test
        void areNotCreatedTwice() throws Exception {
            Branch branch = client.emptyBranch("twice");

            assertThatThrownBy(() -> client.api()
                            .createReference()
                            .sourceRefName("main")
                            .reference(Tag.of(branch.getName(), branch.getHash()))
                            .create())
                    .isInstanceOf(NessieReferenceAlreadyExistsException.class);
        }

        @Test
        void areMovedAndDeletedOnlyFromWhereTheyAre() throws Exception {
            Branch stale = client.commit(client.emptyBranch("stale"), "one", Put.of(A, table(1)));
            Branch head = client.commit(stale, "two", Put.of(B, table(1)));

            assertRefused(
                    () -> client.api()
                            .assignReference()
                            .reference(stale)
                            .assignTo(stale)
                            .assign(),
                    "UNEXPECTED_HASH -");
            assertRefused(() -> client.api().deleteReference().reference(stale).delete(), "UNEXPECTED_HASH -");
            assertThat(client.head(stale)).isEqualTo(head);
        }

        @Test
        void areListedByPagesWithFilterAndMetadata() throws Exception {
            String prefix = newName("listed");
            Branch base = client.commit(client.emptyBranch("list"), "base", Put.of(A, table(1)));
            List<String> names = new ArrayList<>();
            for (int i = 0; i < 7; i++) {
                names.add(client.branch(prefix + "-" + i, base).getName());
            }

            assertThat(
                            client
                                    .api()
                                    .getAllReferences()
                                    .filter("ref.name.startsWith('" + prefix + "')")
                                    .maxRecords(3)
                                    .stream()
                                    .map(Reference::getName))
                    .containsExactlyElementsOf(names);
            assertThat(client
                            .api()
                            .getAllReferences()
                            .fetch(FetchOption.ALL)
                            .filter("ref.name == '" + names.getFirst() + "'")
                            .stream()
                            .map(reference -> reference
                                    .getMetadata()
                                    .getCommitMetaOfHEAD()
                                    .getMessage()))
                    .containsExactly("base");
        }

        @Test
        void tellWhereTheyHaveBeen() throws Exception {
            Branch first = client.commit(client.emptyBranch("history"), "one", Put.of(A, table(1)));
            Branch second = client.commit(first, "two", Put.of(B, table(1)));

            assertThat(client.api()
                            .referenceHistory()
                            .refName(second.getName())
                            .get()
                            .current()
                            .commitHash())
                    .isEqualTo(second.getHash());
            assertThat(client.api()
                            .referenceHistory()
                            .refName(second.getName())
                            .get()
                            .previous())
                    .extracting(state -> state.commitHash())
                    .contains(first.getHash());
        }
    }

    @Nested
    class Reads {

        @Test
        void logIsPagedLimitedAndFiltered() throws Exception {
            Branch branch = client.emptyBranch("log");
            List<Branch> heads = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                branch = client.commit(branch, "commit " + i, Put.of(ContentKey.of("t" + i), table(i)));
                heads.add(branch);
            }

            assertThat(client.api().getCommitLog().refName(branch.getName()).maxRecords(5).stream()
                            .map(entry -> entry.getCommitMeta().getMessage()))
                    .containsExactlyElementsOf(IntStream.iterate(11, i -> i >= 0, i -> i - 1)
                            .mapToObj(i -> "commit " + i)
                            .toList());
            assertThat(client
                            .api()
                            .getCommitLog()
                            .reference(heads.get(9))
                            .untilHash(heads.get(7).getHash())
                            .stream()
                            .map(entry -> entry.getCommitMeta().getMessage()))
                    .containsExactly("commit 9", "commit 8", "commit 7");
            LogEntry found = client
                    .api()
                    .getCommitLog()
                    .refName(branch.getName())
                    .fetch(FetchOption.ALL)
                    .filter("operations.exists(op, op.key == 't3')")
                    .stream()
                    .findFirst()
                    .orElseThrow();
            assertThat(found.getCommitMeta().getMessage()).isEqualTo("commit 3");
            assertThat(found.getOperations()).singleElement().isInstanceOf(Put.class);
        }

        @Test
        void commitsAreNamedByTheirDistance() throws Exception {
            Branch one = client.commit(client.emptyBranch("relative"), "one", Put.of(A, table(1)));
            Branch two = client.commit(one, "two", Put.of(B, table(1)));
            Branch three = client.commit(two, "three", Put.of(C, table(1)));

            assertThat(entries(Branch.of(three.getName(), three.getHash() + "~1")))
                    .containsExactly("a", "b");
            assertThat(client.api()
                            .getCommitLog()
                            .refName(three.getName())
                            .hashOnRef("~2")
                            .get()
                            .getLogEntries())
                    .extracting(entry -> entry.getCommitMeta().getHash())
                    .containsExactly(one.getHash());
        }

        @Test
        void entriesAreStreamedByRangeAndFilter() throws Exception {
            List<Operation> operations = new ArrayList<>();
            operations.add(Put.of(SHOP, Namespace.of("shop")));
            IntStream.range(100, 150).forEach(i -> operations.add(Put.of(ContentKey.of("shop", "t" + i), table(i))));
            IntStream.range(100, 150).forEach(i -> operations.add(Put.of(ContentKey.of("z" + i), table(i))));
            Branch branch =
                    client.commit(client.emptyBranch("entries"), "100 tables", operations.toArray(Operation[]::new));

            assertThat(client.api().getEntries().reference(branch).maxRecords(7).stream())
                    .hasSize(101)
                    .isSortedAccordingTo((a, b) -> a.getName().compareTo(b.getName()));
            assertThat(client.api().getEntries().reference(branch).prefixKey(SHOP).maxRecords(20).stream())
                    .hasSize(51);
            assertThat(client
                            .api()
                            .getEntries()
                            .reference(branch)
                            .minKey(ContentKey.of("z110"))
                            .maxKey(ContentKey.of("z112"))
                            .withContent(true)
                            .stream()
                            .map(EntriesResponse.Entry::getContent)
                            .map(content -> ((IcebergTable) content).getSnapshotId()))
                    .containsExactly(110L, 111L, 112L);
            assertThat(client
                            .api()
                            .getEntries()
                            .reference(branch)
                            .filter("entry.contentType == 'NAMESPACE' && size(entry.keyElements) == 1")
                            .stream()
                            .map(entry -> entry.getName().toString()))
                    .containsExactly("shop");
        }

        @Test
        void aListingShowsOneStateWhileTheBranchMoves() throws Exception {
            Operation[] operations = IntStream.range(10, 30)
                    .mapToObj(i -> Put.of(ContentKey.of("t" + i), table(i)))
                    .toArray(Operation[]::new);
            Branch branch = client.commit(client.emptyBranch("moving"), "20 tables", operations);
            EntriesResponse first = client.api()
                    .getEntries()
                    .refName(branch.getName())
                    .maxRecords(10)
                    .get();
            client.commit(branch, "more", Put.of(ContentKey.of("t25x"), table(1)), Delete.of(ContentKey.of("t29")));
            EntriesResponse second = client.api()
                    .getEntries()
                    .refName(branch.getName())
                    .maxRecords(100)
                    .pageToken(first.getToken())
                    .get();

            assertThat(second.getEntries())
                    .extracting(entry -> entry.getName().toString())
                    .containsExactlyElementsOf(
                            IntStream.range(20, 30).mapToObj(i -> "t" + i).toList());
            assertThat(second.isHasMore()).isFalse();
        }

        @Test
        void diffShowsBothSidesOfWhatDiffers() throws Exception {
            CommitResponse created = client.commitForResponse(
                    client.emptyBranch("from"), "base", Put.of(A, table(1)), Put.of(B, table(1)));
            Branch from = created.getTargetBranch();
            String idOfA = created.toAddedContentsMap().get(A);
            Branch to = client.commit(
                    client.branch("to", from),
                    "change",
                    Put.of(A, table(2).withId(idOfA)),
                    Delete.of(B),
                    Put.of(C, table(1)));

            List<DiffEntry> diff = client.api().getDiff().fromRef(from).toRef(to).maxRecords(2).stream()
                    .toList();
            assertThat(diff).extracting(entry -> entry.getKey().toString()).containsExactly("a", "b", "c");
            assertThat(diff.get(0).getFrom()).isEqualTo(table(1).withId(idOfA));
            assertThat(diff.get(0).getTo()).isEqualTo(table(2).withId(idOfA));
            assertThat(diff.get(1).getTo()).isNull();
            assertThat(diff.get(2).getFrom()).isNull();
            assertThat(client.api().getDiff().fromRef(to).toRef(to).stream()).isEmpty();
        }

        @Test
        void missingContentsAreLeftOutOrNotFound() throws Exception {
            Branch branch = client.commit(client.emptyBranch("missing"), "a", Put.of(A, table(1)));

            assertThat(client.api().getContent().reference(branch).key(A).key(B).get())
                    .containsOnlyKeys(A);
            assertThatThrownBy(() -> client.content(branch, B)).isInstanceOf(NessieContentNotFoundException.class);
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
