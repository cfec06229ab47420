package org.anabranch.versioning.refs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.RefusedException;
import org.anabranch.store.Change;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.FaultyStore;
import org.anabranch.testing.FaultyStore.Fault;
import org.junit.jupiter.api.Test;

class RepositoryTest {

    private final MemoryStore store = new MemoryStore();

    @Test
    void anEmptyStoreGetsARecordAndAnEmptyDefaultBranch() {
        Repository repository = Repository.open(store, fresh(1, "trunk"));
        ReferenceRow branch = store.reference("trunk").orElseThrow();

        assertThat(repository.defaultBranch()).isEqualTo("trunk");
        assertThat(repository.describe().createdAt()).hasToString("1970-01-01T00:00:01Z");
        assertThat(branch.kind()).isEqualTo(ReferenceKind.BRANCH);
        assertThat(branch.head().id()).isEqualTo(CommitId.NO_ANCESTOR);
    }

    @Test
    void openingAgainChangesNothing() {
        Repository.open(store, fresh(1, "trunk"));
        ReferenceRow branch = store.reference("trunk").orElseThrow();
        Repository again = Repository.open(store, fresh(2, "main"));

        assertThat(again.defaultBranch()).isEqualTo("trunk");
        assertThat(store.reference("trunk")).contains(branch);
        assertThat(store.reference("main")).isEmpty();
    }

    @Test
    void aStartThatBrokeOffIsCompletedByTheNextOne() {
        FaultyStore breaking = new FaultyStore(store).at(2, Fault.UNKNOWN_NOT_WRITTEN);
        assertThatExceptionOfType(OutcomeUnknownException.class)
                .isThrownBy(() -> Repository.open(breaking, fresh(1, "main")));
        Repository.open(store, fresh(2, "main"));

        assertThat(store.repository().orElseThrow().id()).isEqualTo(new UUID(0, 1));
        assertThat(store.reference("main")).isPresent();
    }

    @Test
    void ofManyProcessesThatStartAtOnceAllGetTheSameRepository() throws Exception {
        int processes = 8;
        CountDownLatch start = new CountDownLatch(processes);
        Set<String> seen = new HashSet<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(processes)) {
            List<Future<Repository>> opened = IntStream.range(0, processes)
                    .mapToObj(id -> pool.submit((Callable<Repository>) () -> {
                        start.countDown();
                        start.await();
                        return Repository.open(store, fresh(id, "main"));
                    }))
                    .toList();
            for (Future<Repository> each : opened) {
                seen.add(List.of(each.get().describe(), List.of(each.get().salt()[0]))
                        .toString());
            }
        }

        assertThat(seen).hasSize(1);
        assertThat(store.references(ReferenceKind.BRANCH, "", 10)).hasSize(1);
    }

    @Test
    void anotherFormatAndAnImpossibleDefaultBranchAreTold() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Repository.open(store, fresh(1, "HEAD")))
                .withMessageContaining("'HEAD'");
        store.write(
                List.of(),
                List.of(),
                new Change.OfRepository(
                        null, new RepositoryRow(new UUID(0, 1), 99, new byte[16], "main", 0, 0, Map.of(), 1)),
                List.of());
        assertThatIllegalStateException()
                .isThrownBy(() -> Repository.open(store, fresh(1, "main")))
                .withMessageContaining("format version 99");
    }

    @Test
    void aConfigurationReplacesTheOneOfItsType() {
        Repository repository = Repository.open(store, fresh(1, "main"));

        assertThat(repository.replaceConfig("GC", "{1}")).isEmpty();
        assertThat(repository.replaceConfig("OTHER", "{}")).isEmpty();
        assertThat(repository.replaceConfig("GC", "{2}")).contains("{1}");
        assertThat(repository.configs()).isEqualTo(Map.of("GC", "{2}", "OTHER", "{}"));
    }

    @Test
    void configurationsChangedAtOnceConflictAndNoneIsLost() {
        FaultyStore faulty = new FaultyStore(store);
        Repository repository = Repository.open(faulty, fresh(1, "main"));
        Repository other = Repository.open(store, fresh(2, "main"));
        faulty.foreignFirst(3, () -> other.replaceConfig("OTHER", "{}")).at(4, Fault.UNKNOWN_WRITTEN);

        assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> repository.replaceConfig("GC", "{1}"));
        assertThat(repository.replaceConfig("GC", "{1}")).isEmpty();
        assertThat(repository.configs()).isEqualTo(Map.of("GC", "{1}", "OTHER", "{}"));
    }

    private static RepositoryRow fresh(int id, String defaultBranch) {
        byte[] salt = new byte[16];
        salt[0] = (byte) id;
        return new RepositoryRow(
                new UUID(0, id), Repository.FORMAT_VERSION, salt, defaultBranch, 1_000_000, 1_000_000, Map.of(), 1);
    }
}
