package org.anabranch.versioning.refs;

import static org.anabranch.testing.Callers.UNRESTRICTED;
import static org.anabranch.testing.ReferenceCatalog.ref;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.anabranch.model.CommitId;
import org.anabranch.model.Detail;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.RefusedException;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.FaultyStore;
import org.anabranch.testing.FaultyStore.Fault;
import org.anabranch.testing.ReferenceCatalog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What create, assign and delete answer when the store does not say how their one write ended, or somebody was faster. */
class UnknownOutcomeTest {

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

    @Test
    void anAppliedCreateIsFoundByItsIncarnation() {
        faulty.at(1, Fault.UNKNOWN_WRITTEN);

        assertThat(catalog.branch("dev", one).hash()).isEqualTo(one);
    }

    @Test
    void aCreateThatMayStillHappenIsUndecided() {
        faulty.at(1, Fault.UNKNOWN_WRITTEN_LATE);

        assertThatExceptionOfType(OutcomeUnknownException.class).isThrownBy(() -> catalog.branch("dev", one));
    }

    @Test
    void aCreateLostToAnotherOneIsRefused() {
        faulty.at(1, Fault.UNKNOWN_NOT_WRITTEN).foreignFirst(1, () -> other.branch("dev", one));

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> catalog.branch("dev", one))
                .withMessage("Named reference 'dev' already exists.");
    }

    @Test
    void anAppliedAssignIsFoundWhileTheRowRemembersIt() {
        other.branch("dev", one);
        faulty.at(1, Fault.UNKNOWN_WRITTEN);

        assertThat(assign(one, two)).isEqualTo(two);
    }

    @Test
    void anAssignThatOthersMovedPastIsDecidedByTheRecordedHeads() {
        other.branch("dev", one);
        faulty.at(1, Fault.UNKNOWN_NOT_WRITTEN).foreignFirst(1, () -> {
            other.assign().assign(ref("dev@" + one), null, ref("@" + CommitId.NO_ANCESTOR), UNRESTRICTED, null);
            other.assign().assign(ref("dev@" + CommitId.NO_ANCESTOR), null, ref("@" + two), UNRESTRICTED, null);
        });

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> assign(one, two))
                .withMessageContaining("is not at expected hash '" + one + "'");
    }

    @Test
    void anAssignThatMayStillHappenIsUndecided() {
        other.branch("dev", one);
        faulty.at(1, Fault.UNKNOWN_WRITTEN_LATE);

        assertThatExceptionOfType(OutcomeUnknownException.class).isThrownBy(() -> assign(one, two));
    }

    @Test
    void anAssignDoesNotTakeAReferenceOfTheSameNameForItsOwn() {
        other.branch("dev", one);
        faulty.foreignFirst(1, () -> {
            other.delete().delete(ref("dev@" + one), null, UNRESTRICTED, null);
            other.branch("dev", one);
        });

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> assign(one, two))
                .withMessageContaining("was changed meanwhile, and is at hash '" + one + "' again");
        assertThat(head("dev")).isEqualTo(one);
    }

    @Test
    void aDeletedReferenceIsGoneWhoeverDeletedIt() {
        other.branch("dev", one);
        faulty.at(1, Fault.UNKNOWN_WRITTEN);

        assertThat(catalog.delete()
                        .delete(ref("dev@" + one), null, UNRESTRICTED, null)
                        .hash())
                .isEqualTo(one);
        assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> head("dev"));
    }

    @Test
    void aDeleteThatMayStillHappenIsUndecided() {
        other.branch("dev", one);
        faulty.at(1, Fault.UNKNOWN_NOT_WRITTEN);

        assertThatExceptionOfType(OutcomeUnknownException.class)
                .isThrownBy(() -> catalog.delete().delete(ref("dev@" + one), null, UNRESTRICTED, null));
    }

    @Test
    void aDeleteDoesNotTakeAMovedReferenceWithIt() {
        other.branch("dev", one);
        faulty.foreignFirst(
                1, () -> other.assign().assign(ref("dev@" + one), null, ref("@" + two), UNRESTRICTED, null));

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> catalog.delete().delete(ref("dev@" + one), null, UNRESTRICTED, null))
                .withMessageContaining("but at '" + two + "'");
        assertThat(head("dev")).isEqualTo(two);
    }

    @Test
    void anUnavailableStoreChangedNothing() {
        faulty.at(1, Fault.BEFORE);

        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> catalog.branch("dev", one));
        assertThat(catalog.create("dev", ReferenceKind.TAG, one).kind()).isEqualTo(ReferenceKind.TAG);
    }

    private CommitId assign(CommitId from, CommitId to) {
        return catalog.assign()
                .assign(ref("dev@" + from), null, ref("@" + to), UNRESTRICTED, null)
                .hash();
    }

    private CommitId head(String name) {
        return catalog.get()
                .get(ref(name), Detail.MINIMAL, UNRESTRICTED)
                .reference()
                .hash();
    }
}
