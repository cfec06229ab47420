package org.anabranch.store.contract;

import static org.anabranch.store.contract.StoreRows.branch;
import static org.anabranch.store.contract.StoreRows.create;
import static org.anabranch.store.contract.StoreRows.delete;
import static org.anabranch.store.contract.StoreRows.id;
import static org.anabranch.store.contract.StoreRows.move;
import static org.anabranch.store.contract.StoreRows.moved;
import static org.anabranch.store.contract.StoreRows.receipt;
import static org.anabranch.store.contract.StoreRows.repository;
import static org.anabranch.store.contract.StoreRows.row;
import static org.anabranch.store.contract.StoreRows.tag;
import static org.anabranch.store.contract.StoreRows.withConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;
import org.anabranch.store.Change;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.CommitLinks;
import org.anabranch.store.CommitRow;
import org.anabranch.store.Head;
import org.anabranch.store.MissingRowException;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.Store;
import org.anabranch.store.Turn;
import org.anabranch.store.WriteOutcome;
import org.anabranch.store.WriteOutcome.AdoptedMissing;
import org.anabranch.store.WriteOutcome.ReceiptTaken;
import org.anabranch.store.WriteOutcome.ReferenceMoved;
import org.anabranch.store.WriteOutcome.RepositoryChanged;
import org.anabranch.store.WriteOutcome.Written;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * What every store does. A backend's test is one class that extends this one and says how to make a repository; nothing
 * is skipped for a backend.
 */
public abstract class StoreContract {

    private static final Written WRITTEN = new Written();

    private Supplier<Store> repository;
    private Store store;
    private final List<Store> opened = Collections.synchronizedList(new ArrayList<>());

    /** Makes an empty repository, and gives what opens it; every call opens it anew, after the last one was closed. */
    protected abstract Supplier<Store> newRepository() throws Exception;

    @BeforeEach
    final void openStore() throws Exception {
        repository = newRepository();
        store = open();
    }

    @AfterEach
    final void closeStores() {
        opened.forEach(Store::close);
    }

    private Store open() {
        Store next = repository.get();
        opened.add(next);
        return next;
    }

    private void reopen() {
        store.close();
        store = open();
    }

    private WriteOutcome write(Change change, CommitRow... rows) {
        return store.write(List.of(rows), List.of(), change, List.of());
    }

    private ReferenceRow existing(ReferenceRow reference, CommitRow... rows) {
        assertThat(write(create(reference), rows)).isEqualTo(WRITTEN);
        return reference;
    }

    private RepositoryRow existing(RepositoryRow record) {
        assertThat(write(new Change.OfRepository(null, record))).isEqualTo(WRITTEN);
        return record;
    }

    private static void assertSame(RepositoryRow actual, RepositoryRow expected) {
        assertThat(actual).usingRecursiveComparison().isEqualTo(expected);
    }

    private static void assertSame(List<Receipt> actual, Receipt... expected) {
        assertThat(actual).usingRecursiveComparison().isEqualTo(List.of(expected));
    }

    @Nested
    class Rows {

        @Test
        void chunksComeBackInTheOrderAskedFor() {
            existing(branch("main", 2, 9), row(1), row(2, 1L));

            List<byte[]> fetched =
                    store.fetch(List.of(new ChunkAddress(2, 1), new ChunkAddress(1, 0), new ChunkAddress(2, 0)));

            assertThat(fetched)
                    .containsExactly(
                            row(2).chunks().get(1),
                            row(1).chunks().get(0),
                            row(2).chunks().get(0));
        }

        @Test
        void nothingIsAskedForAndNothingComes() {
            assertThat(store.fetch(List.of())).isEmpty();
            assertThat(store.find(List.of())).isEmpty();
        }

        @Test
        void emptyAndLargeChunksAreKept() {
            byte[] large = new byte[3 << 20];
            new Random(1).nextBytes(large);
            CommitRow row = new CommitRow(5, id(5), List.of(0L), List.of(new byte[0], large));
            existing(branch("main", 5, 9), row);

            assertThat(store.fetch(List.of(new ChunkAddress(5, 0), new ChunkAddress(5, 1))))
                    .containsExactly(new byte[0], large);
        }

        @Test
        void manyRowsAreWrittenFoundAndFetchedInOneCall() {
            int count = 5000;
            List<CommitRow> rows = LongStream.rangeClosed(1, count)
                    .mapToObj(number -> row(number, number - 1))
                    .toList();
            assertThat(store.write(rows, List.of(), create(branch("main", count, 9_000)), List.of()))
                    .isEqualTo(WRITTEN);
            List<CommitRow> shuffled = new ArrayList<>(rows);
            Collections.shuffle(shuffled, new Random(1));

            assertThat(store.find(shuffled.stream().map(CommitRow::id).toList()))
                    .hasSize(count);
            assertThat(store.fetch(shuffled.stream()
                            .map(row -> new ChunkAddress(row.number(), 0))
                            .toList()))
                    .containsExactlyElementsOf(
                            shuffled.stream().map(row -> row.chunks().get(0)).toList());
        }

        @Test
        void missingChunksAreNamedAllTogetherInTheOrderAskedFor() {
            existing(branch("main", 1, 9), row(1));
            ChunkAddress unknownRow = new ChunkAddress(77, 0);
            ChunkAddress unknownChunk = new ChunkAddress(1, 2);

            assertThatThrownBy(() -> store.fetch(List.of(unknownRow, new ChunkAddress(1, 0), unknownChunk)))
                    .isInstanceOfSatisfying(
                            MissingRowException.class,
                            missing -> assertThat(missing.missing()).containsExactly(unknownRow, unknownChunk));
        }

        @Test
        void unknownIdsAreAbsentFromWhatIsFound() {
            existing(branch("main", 2, 9), row(1), row(2, 1L));

            assertThat(store.find(List.of(id(2), id(3), CommitId.NO_ANCESTOR, id(1))))
                    .isEqualTo(Map.of(id(1), 1L, id(2), 2L));
        }

        @Test
        void rowsAreListedByNumberWithTheirLinks() {
            existing(branch("b", 5, 9), row(2), row(3, 2L), row(5, 3L, 2L));

            assertThat(store.links(0, 2))
                    .containsExactly(new CommitLinks(2, id(2), List.of(0L)), new CommitLinks(3, id(3), List.of(2L)));
            assertThat(store.links(3, 2)).containsExactly(new CommitLinks(5, id(5), List.of(3L, 2L)));
            assertThat(store.links(5, 1)).isEmpty();
        }

        @Test
        void aRepeatedRowIsHarmless() {
            ReferenceRow main = existing(branch("main", 1, 9), row(1));

            assertThat(write(move(main, moved(main, 2)), row(1), row(2, 1L))).isEqualTo(WRITTEN);

            assertThat(store.fetch(List.of(new ChunkAddress(1, 0), new ChunkAddress(2, 0))))
                    .containsExactly(row(1).chunks().get(0), row(2).chunks().get(0));
        }

        @Test
        void aRowMayBeWrittenAgainAfterItsWriteWasRefused() {
            ReferenceRow main = existing(branch("main", 1, 9), row(1));
            assertThat(write(move(moved(main, 1), moved(moved(main, 1), 2)), row(2, 1L)))
                    .isEqualTo(new ReferenceMoved(main));

            assertThat(write(move(main, moved(main, 2)), row(2, 1L))).isEqualTo(WRITTEN);
        }

        @Test
        void aCommitStagedTwiceIsFoundUnderItsLowestNumber() {
            existing(branch("one", 5, 8), row(5));
            CommitRow again = new CommitRow(6, id(5), List.of(0L), row(5).chunks());
            ReferenceRow other =
                    new ReferenceRow("other", ReferenceKind.BRANCH, new Head(6, id(5)), 9, 1, 1_000_000, List.of());

            assertThat(write(create(other), again)).isEqualTo(WRITTEN);

            assertThat(store.find(List.of(id(5)))).isEqualTo(Map.of(id(5), 5L));
            assertThat(store.fetch(List.of(new ChunkAddress(6, 0)))).hasSize(1);
        }
    }

    @Nested
    class References {

        @Test
        void anUnknownNameIsEmpty() {
            assertThat(store.reference("nowhere")).isEmpty();
            assertThat(store.references(ReferenceKind.BRANCH, "", 10)).isEmpty();
        }

        @Test
        void everyFieldComesBack() {
            ReferenceRow created = existing(branch("release/ü-\uD83C\uDF0A", 1, 9), row(1));
            ReferenceRow next = moved(created, 2);
            write(move(created, next), row(2, 1L));

            assertThat(store.reference(created.name())).contains(next);
            assertThat(next.published()).hasSize(1);
        }

        @Test
        void namesAreListedInOrderOfTheirBytes() {
            // UTF-16 code units would put the supplementary U+1F30A before U+FF5E, their UTF-8 bytes do not.
            List<String> names = List.of("A", "B", "a", "a-b", "a/b", "ab", "é", "\uFF5E", "\uD83C\uDF0A");
            List<String> shuffled = new ArrayList<>(names);
            Collections.shuffle(shuffled, new Random(1));
            for (String name : shuffled) {
                existing(branch(name, 0, 100 + names.indexOf(name)));
            }

            assertThat(store.references(ReferenceKind.BRANCH, "", 100))
                    .extracting(ReferenceRow::name)
                    .containsExactlyElementsOf(names);
        }

        @Test
        void aListIsPagedByName() {
            for (String name : List.of("a", "b", "d", "e")) {
                existing(branch(name, 0, name.charAt(0)));
            }

            assertThat(store.references(ReferenceKind.BRANCH, "", 2))
                    .extracting(ReferenceRow::name)
                    .containsExactly("a", "b");
            assertThat(store.references(ReferenceKind.BRANCH, "b", 2))
                    .extracting(ReferenceRow::name)
                    .containsExactly("d", "e");
            assertThat(store.references(ReferenceKind.BRANCH, "c", 1))
                    .extracting(ReferenceRow::name)
                    .containsExactly("d");
            assertThat(store.references(ReferenceKind.BRANCH, "e", 2)).isEmpty();
        }

        @Test
        void branchesAndTagsAreListedApart() {
            ReferenceRow branch = existing(branch("a", 0, 8));
            ReferenceRow tag = existing(tag("b", 0, 9));

            assertThat(store.references(ReferenceKind.BRANCH, "", 10)).containsExactly(branch);
            assertThat(store.references(ReferenceKind.TAG, "", 10)).containsExactly(tag);
        }

        @Test
        void branchesAndTagsShareTheirNames() {
            ReferenceRow branch = existing(branch("a", 0, 8));

            assertThat(write(create(tag("a", 0, 9)))).isEqualTo(new ReferenceMoved(branch));
            assertThat(store.reference("a")).contains(branch);
        }
    }

    @Nested
    class ConditionalWrite {

        @Test
        void aReferenceIsCreatedMovedAndDeleted() {
            ReferenceRow main = existing(branch("main", 0, 9));
            ReferenceRow next = moved(main, 1);
            assertThat(write(move(main, next), row(1))).isEqualTo(WRITTEN);
            assertThat(store.reference("main")).contains(next);

            assertThat(write(delete(next))).isEqualTo(WRITTEN);
            assertThat(store.reference("main")).isEmpty();
        }

        @Test
        void aTakenNameIsNotCreatedAgain() {
            ReferenceRow main = existing(branch("main", 0, 8));

            assertThat(write(create(branch("main", 0, 9)))).isEqualTo(new ReferenceMoved(main));
            assertThat(store.reference("main")).contains(main);
        }

        @Test
        void anOldVersionNeitherMovesNorDeletes() {
            ReferenceRow main = existing(branch("main", 0, 9));
            ReferenceRow next = moved(main, 1);
            write(move(main, next), row(1));

            assertThat(write(move(main, moved(main, 2)), row(2))).isEqualTo(new ReferenceMoved(next));
            assertThat(write(delete(main))).isEqualTo(new ReferenceMoved(next));
            assertThat(store.reference("main")).contains(next);
        }

        @Test
        void aDeletedReferenceNeitherMovesNorIsDeletedAgain() {
            ReferenceRow main = existing(branch("main", 0, 9));
            write(delete(main));

            assertThat(write(move(main, moved(main, 1)), row(1))).isEqualTo(new ReferenceMoved(null));
            assertThat(write(delete(main))).isEqualTo(new ReferenceMoved(null));
        }

        @Test
        void aReferenceCreatedAgainAtTheSameHeadIsAnotherOne() {
            ReferenceRow first = existing(tag("v1", 1, 8), row(1));
            write(delete(first));
            ReferenceRow second = tag("v1", 1, 9);
            assertThat(store.write(List.of(), List.of(1L), create(second), List.of()))
                    .isEqualTo(WRITTEN);

            assertThat(write(delete(first))).isEqualTo(new ReferenceMoved(second));
            assertThat(write(move(first, moved(first, 2)), row(2))).isEqualTo(new ReferenceMoved(second));
            assertThat(store.reference("v1")).contains(second);
        }

        @Test
        void aRefusedMoveLeavesNothingButRows() {
            existing(repository("main"));
            ReferenceRow main = existing(branch("main", 0, 9));
            ReferenceRow seen = moved(main, 0);

            WriteOutcome outcome = store.write(
                    List.of(row(1)), List.of(), move(seen, moved(seen, 1)), List.of(receipt("scope", 1, 100)));

            assertThat(outcome).isEqualTo(new ReferenceMoved(main));
            assertThat(store.reference("main")).contains(main);
            assertThat(store.receipts("scope")).isEmpty();
            assertSame(store.repository().orElseThrow(), repository("main"));
        }
    }

    @Nested
    class Repository {

        @Test
        void thereIsNoneAtFirst() {
            assertThat(store.repository()).isEmpty();
        }

        @Test
        void everyFieldComesBack() {
            RepositoryRow record = existing(repository("trunk"));
            assertSame(store.repository().orElseThrow(), record);

            RepositoryRow next = withConfig(withConfig(record, "A", "{\"a\":\"ü\"}"), "B", "{}");
            next = withVersion(next, 2);
            assertThat(write(new Change.OfRepository(record, next))).isEqualTo(WRITTEN);

            assertSame(store.repository().orElseThrow(), next);
        }

        @Test
        void itIsCreatedOnce() {
            RepositoryRow record = existing(repository("main"));

            WriteOutcome outcome = write(new Change.OfRepository(null, repository("other")));

            assertThat(outcome)
                    .isInstanceOfSatisfying(RepositoryChanged.class, changed -> assertSame(changed.current(), record));
            assertSame(store.repository().orElseThrow(), record);
        }

        @Test
        void anOldVersionDoesNotReplaceIt() {
            RepositoryRow record = existing(repository("main"));
            RepositoryRow next = withConfig(record, "A", "{}");
            write(new Change.OfRepository(record, next));

            WriteOutcome outcome = write(new Change.OfRepository(record, withConfig(record, "B", "{}")));

            assertThat(outcome)
                    .isInstanceOfSatisfying(RepositoryChanged.class, changed -> assertSame(changed.current(), next));
            assertSame(store.repository().orElseThrow(), next);
        }

        @Test
        void whatIsNotThereIsNotReplaced() {
            RepositoryRow record = repository("main");

            assertThat(write(new Change.OfRepository(record, withConfig(record, "A", "{}"))))
                    .isEqualTo(new RepositoryChanged(null));
            assertThat(store.repository()).isEmpty();
        }

        private static RepositoryRow withVersion(RepositoryRow row, long version) {
            return new RepositoryRow(
                    row.id(),
                    row.formatVersion(),
                    row.salt(),
                    row.defaultBranch(),
                    row.createdAtMicros(),
                    row.oldestCommitAtMicros(),
                    row.configs(),
                    version);
        }
    }

    @Nested
    class Receipts {

        @Test
        void aReceiptIsKeptWithItsWrite() {
            Receipt receipt = receipt("caller main key", 1, 100);
            store.write(List.of(row(1)), List.of(), create(branch("main", 1, 9)), List.of(receipt));

            assertSame(store.receipts("caller main key"), receipt);
            assertThat(store.receipts("caller main other")).isEmpty();
        }

        @Test
        void receiptsAreListedInOrderOfTheirScopesBytes() {
            Receipt upper = receipt("B", 0, 100);
            Receipt lower = receipt("a", 0, 200);
            Receipt accented = receipt("\u00e4", 0, 300);
            store.write(List.of(), List.of(), create(branch("main", 0, 9)), List.of(accented, upper, lower));

            assertSame(store.receiptsAfter("", 2), upper, lower);
            assertSame(store.receiptsAfter("a", 2), accented);
            assertThat(store.receiptsAfter("\u00e4", 1)).isEmpty();
        }

        @Test
        void aTakenScopeRefusesTheWholeWrite() {
            Receipt first = receipt("taken", 0, 100);
            ReferenceRow main = branch("main", 0, 9);
            store.write(List.of(), List.of(), create(main), List.of(first));

            WriteOutcome outcome = store.write(
                    List.of(row(1)),
                    List.of(),
                    move(main, moved(main, 1)),
                    List.of(receipt("free", 1, 200), receipt("taken", 1, 200)));

            assertThat(outcome)
                    .isInstanceOfSatisfying(ReceiptTaken.class, taken -> assertSame(List.of(taken.existing()), first));
            assertThat(store.reference("main")).contains(main);
            assertThat(store.receipts("free")).isEmpty();
            assertSame(store.receipts("taken"), first);
        }

        @Test
        void aTakenScopeIsSaidBeforeAMovedReferenceAndThatBeforeMissingCommits() {
            ReferenceRow main = branch("main", 0, 9);
            store.write(List.of(), List.of(), create(main), List.of(receipt("taken", 0, 100)));
            Change stale = create(branch("main", 0, 10));

            assertThat(store.write(List.of(), List.of(55L), stale, List.of(receipt("taken", 0, 100))))
                    .isInstanceOf(ReceiptTaken.class);
            assertThat(store.write(List.of(), List.of(55L), stale, List.of())).isInstanceOf(ReferenceMoved.class);
        }

        @Test
        void oneIsForgottenUnlessAnotherHasItsPlace() {
            Receipt first = receipt("scope", 0, 100);
            Receipt other = receipt("other scope", 0, 100);
            store.write(List.of(), List.of(), create(branch("main", 0, 9)), List.of(first, other));

            store.forgetReceipt(first);
            assertThat(store.receipts("scope")).isEmpty();
            Receipt second = new Receipt("scope", first.requestDigest(), first.head(), new byte[] {77}, 100);
            store.write(List.of(), List.of(), create(branch("dev", 0, 10)), List.of(second));
            store.forgetReceipt(first);

            assertSame(store.receipts("scope"), second);
            assertSame(store.receipts("other scope"), other);
        }

        /** On the machines that the tests run on the store's clock is right. */
        @Test
        void aStoreOfSeveralProcessesHasAClockThatGoesOn() {
            OptionalLong before = store.clockMicros();
            OptionalLong after = store.clockMicros();

            assertThat(after.isPresent()).isEqualTo(before.isPresent());
            assertThat(after.orElse(0)).isGreaterThanOrEqualTo(before.orElse(0));
            before.ifPresent(micros -> assertThat(Instant.EPOCH.plus(micros, ChronoUnit.MICROS))
                    .isCloseTo(Instant.now(), within(10, ChronoUnit.MINUTES)));
        }

        @Test
        void expiredOnesAreForgotten() {
            store.write(
                    List.of(),
                    List.of(),
                    create(branch("main", 0, 9)),
                    List.of(receipt("old", 0, 99), receipt("young", 0, 100)));

            store.forgetReceipts(100);

            assertThat(store.receipts("old")).isEmpty();
            assertThat(store.receipts("young")).hasSize(1);
        }
    }

    @Nested
    class Numbers {

        @Test
        void blocksDoNotOverlap() {
            long first = store.numbers(3);
            long second = store.numbers(1);
            long third = store.numbers(1000);

            assertThat(first).isPositive();
            assertThat(second).isGreaterThanOrEqualTo(first + 3);
            assertThat(third).isGreaterThan(second);
        }

        @Test
        void noneIsHandedOutAgainAfterTheStoreWasClosed() {
            long before = store.numbers(10);

            reopen();

            assertThat(store.numbers(1)).isGreaterThanOrEqualTo(before + 10);
        }

        @Test
        void aBlockHasAtLeastOne() {
            assertThatThrownBy(() -> store.numbers(0)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Nested
    class Adopted {

        @Test
        void aStoredCommitIsAdopted() {
            existing(branch("main", 1, 8), row(1));

            assertThat(store.write(List.of(), List.of(1L, 0L), create(branch("etl", 1, 9)), List.of()))
                    .isEqualTo(WRITTEN);
        }

        @Test
        void commitsThatAreNotStoredAreNamedAndNothingChanges() {
            existing(branch("main", 1, 8), row(1));

            WriteOutcome outcome = store.write(
                    List.of(row(2, 1L)),
                    List.of(44L, 1L, 33L),
                    create(branch("etl", 2, 9)),
                    List.of(receipt("scope", 2, 100)));

            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            AdoptedMissing.class,
                            missing -> assertThat(missing.numbers()).containsExactlyInAnyOrder(33L, 44L));
            assertThat(store.reference("etl")).isEmpty();
            assertThat(store.receipts("scope")).isEmpty();
        }
    }

    @Nested
    class Reopening {

        @Test
        void everythingWrittenIsThere() {
            RepositoryRow record = existing(repository("main"));
            ReferenceRow main = branch("main", 1, 9);
            Receipt receipt = receipt("scope", 1, 100);
            store.write(List.of(row(1)), List.of(), create(main), List.of(receipt));

            reopen();

            assertSame(store.repository().orElseThrow(), record);
            assertThat(store.reference("main")).contains(main);
            assertSame(store.receipts("scope"), receipt);
            assertThat(store.find(List.of(id(1)))).isEqualTo(Map.of(id(1), 1L));
            assertThat(store.fetch(List.of(new ChunkAddress(1, 0))))
                    .containsExactly(row(1).chunks().get(0));
        }

        @Test
        void closingTwiceIsHarmless() {
            existing(branch("main", 0, 9));
            store.close();
            store.close();
            store = open();

            assertThat(store.reference("main")).isPresent();
        }
    }

    @Nested
    class Turns {

        @Test
        void aTurnShowsTheReferenceAndMovesIt() {
            ReferenceRow main = existing(branch("main", 0, 9));
            ReferenceRow next = moved(main, 1);
            try (Turn turn = store.turn("main")) {
                assertThat(turn.reference()).contains(main);
                assertThat(turn.write(List.of(row(1)), List.of(), move(main, next), List.of(receipt("s", 1, 1_000))))
                        .isEqualTo(WRITTEN);
            }
            assertThat(store.reference("main")).contains(next);
            assertThat(store.receipts("s")).hasSize(1);
        }

        @Test
        void aTurnAtNothingIsEmptyAndNothingChangesWithoutAWrite() {
            ReferenceRow main = existing(branch("main", 0, 9));
            try (Turn nobody = store.turn("nothing");
                    Turn unused = store.turn("main")) {
                assertThat(nobody.reference()).isEmpty();
                assertThat(unused.reference()).contains(main);
            }
            assertThat(write(move(main, moved(main, 1)), row(1))).isEqualTo(WRITTEN);
        }

        @Test
        void whatIsWrongIsToldAsInAnyWrite() {
            ReferenceRow main = existing(branch("main", 0, 9));
            ReferenceRow now = moved(main, 1);
            write(move(main, now), row(1));
            try (Turn turn = store.turn("main")) {
                assertThat(turn.write(List.of(row(2)), List.of(), move(main, moved(main, 2)), List.of()))
                        .isEqualTo(new ReferenceMoved(now));
            }
            try (Turn turn = store.turn("main")) {
                assertThat(turn.write(List.of(row(2)), List.of(7L), move(now, moved(now, 2)), List.of()))
                        .isEqualTo(new AdoptedMissing(Set.of(7L)));
            }
            assertThat(store.reference("main")).contains(now);
        }

        /** Whoever is let in first: of two writes on one state, one is refused. */
        @Test
        void whoWritesBesideATurnNeverWritesAsWell() throws Exception {
            ReferenceRow main = existing(branch("main", 0, 9));
            try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
                Future<WriteOutcome> beside;
                WriteOutcome inTurn;
                try (Turn turn = store.turn("main")) {
                    beside = threads.submit(() -> write(move(main, moved(main, 1)), row(1)));
                    inTurn = turn.write(List.of(row(2)), List.of(), move(main, moved(main, 2)), List.of());
                }
                assertThat(List.of(inTurn, beside.get()))
                        .filteredOn(WRITTEN::equals)
                        .hasSize(1);
            }
            assertThat(store.reference("main").orElseThrow().version()).isEqualTo(main.version() + 1);
        }
    }

    @Nested
    class Marks extends MarksContract {

        @Override
        Store store() {
            return store;
        }

        @Override
        void reopen() {
            StoreContract.this.reopen();
        }
    }

    @Nested
    class Concurrency extends ConcurrencyContract {

        @Override
        Store store() {
            return store;
        }
    }

    /** For the test of a backend: the store under test. */
    protected final Store store() {
        return store;
    }
}
