package org.anabranch.service;

import static org.anabranch.testing.Callers.UNRESTRICTED;
import static org.anabranch.testing.ReferenceCatalog.ref;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import org.anabranch.model.CommitId;
import org.anabranch.model.Detail;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.Idempotency;
import org.anabranch.model.Reference;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.ReferenceName;
import org.anabranch.model.RefusedException;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.Callers;
import org.anabranch.testing.FaultyStore;
import org.anabranch.testing.FaultyStore.Fault;
import org.anabranch.testing.ReferenceCatalog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Creates, assignments and deletes that are sent again with their idempotency keys. */
class ReferenceRepeatsTest {

    private final MemoryStore store = new MemoryStore();
    private final FaultyStore faulty = new FaultyStore(store);
    private final ReferenceCatalog catalog = new ReferenceCatalog(store, faulty);
    private final ReferenceCatalog other = new ReferenceCatalog(store, store);
    private final CommitId one = catalog.commit("main", "a");
    private final CommitId two = catalog.commit("main", "b");

    @AfterEach
    void close() {
        catalog.close();
        other.close();
    }

    private static Idempotency key(String key) {
        return new Idempotency(key, "the request".getBytes(StandardCharsets.UTF_8));
    }

    private static Reference.Named create(ReferenceCatalog process, String caller, Idempotency key, CommitId at) {
        return process.create()
                .create(
                        new ReferenceName("dev"),
                        ReferenceKind.BRANCH,
                        ref("main@" + at),
                        Callers.unrestricted(caller),
                        key);
    }

    private Reference.Named create(ReferenceCatalog process) {
        return create(process, "", key("create"), one);
    }

    private Reference.Named assign(ReferenceCatalog process) {
        return process.assign().assign(ref("dev@" + one), null, ref("@" + two), UNRESTRICTED, key("assign"));
    }

    private Reference.Named delete(ReferenceCatalog process, CommitId at) {
        return process.delete().delete(ref("dev@" + at), null, UNRESTRICTED, key("delete"));
    }

    private CommitId head() {
        return other.get()
                .get(ref("dev"), Detail.MINIMAL, UNRESTRICTED)
                .reference()
                .hash();
    }

    @Test
    void aRepeatIsAnsweredAlike() {
        Reference.Named created = create(catalog);
        assertThat(create(other)).isEqualTo(created);
        Reference.Named assigned = assign(catalog);
        assertThat(assign(other)).isEqualTo(assigned);
        assertThat(create(other)).as("wherever it has moved since").isEqualTo(created);
        assertThat(head()).isEqualTo(two);
        Reference.Named deleted = delete(catalog, two);
        assertThat(delete(other, two)).isEqualTo(deleted);
        assertThat(assign(other)).as("there is nothing to assign").isEqualTo(assigned);
        assertThat(other.references().findRow("dev")).isEmpty();
    }

    @Test
    void aRepeatedDeleteLeavesAReferenceAloneThatWasCreatedSince() {
        create(catalog);
        Reference.Named deleted = delete(catalog, one);
        other.branch("dev", one);

        assertThat(delete(catalog, one)).isEqualTo(deleted);
        assertThat(head()).isEqualTo(one);
    }

    @Test
    void aRepeatedAssignmentLeavesAReferenceAloneThatWasMovedSince() {
        create(catalog);
        Reference.Named assigned = assign(catalog);
        other.assign().assign(ref("dev@" + two), null, ref("@" + one), UNRESTRICTED, null);

        assertThat(assign(catalog)).isEqualTo(assigned);
        assertThat(head()).isEqualTo(one);
    }

    @Test
    void whatWasDeletedSinceIsCreatedAnewAndAssignedAnew() {
        create(catalog);
        assign(catalog);
        delete(catalog, two);

        create(catalog);
        assertThat(head()).isEqualTo(one);
        assign(catalog);
        assertThat(head()).isEqualTo(two);
        assertThat(create(other).hash()).isEqualTo(one);
        assertThat(head()).isEqualTo(two);
    }

    @Test
    void aKeyIsForOneRequestOfOneCaller() {
        create(catalog, "ann", key("k"), one);

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> create(catalog, "ann", new Idempotency("k", new byte[] {1}), two))
                .satisfies(refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_REQUEST));
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> create(catalog, "bob", key("k"), one))
                .satisfies(refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.REFERENCE_ALREADY_EXISTS));
    }

    @Test
    void twoProcessesAtOnceGiveTheSameAnswer() {
        faulty.foreignFirst(1, () -> create(other));
        assertThat(create(catalog).hash()).isEqualTo(one);
        faulty.foreignFirst(2, () -> assign(other));
        assertThat(assign(catalog).hash()).isEqualTo(two);
        faulty.foreignFirst(3, () -> delete(other, two));
        assertThat(delete(catalog, two).hash()).isEqualTo(two);
        assertThat(other.references().findRow("dev")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void whateverGoesWrongItIsAppliedOnce(Fault fault) {
        faulty.at(1, fault);
        Reference.Named created = untilAnswered(() -> create(catalog));
        faulty.at(faulty.writes() + 1, fault);
        Reference.Named assigned = untilAnswered(() -> assign(catalog));
        assertThat(create(other)).isEqualTo(created);
        assertThat(assign(other)).isEqualTo(assigned);
        faulty.at(faulty.writes() + 1, fault);
        Reference.Named deleted = untilAnswered(() -> delete(catalog, two));
        assertThat(delete(other, two)).isEqualTo(deleted);
        assertThat(List.of(created.hash(), assigned.hash(), deleted.hash())).containsExactly(one, two, two);
    }

    private static Reference.Named untilAnswered(Supplier<Reference.Named> request) {
        while (true) {
            try {
                return request.get();
            } catch (StoreUnavailableException | OutcomeUnknownException unanswered) {
                // Sent again, as clients do.
            }
        }
    }
}
