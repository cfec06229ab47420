package org.anabranch.store.embedded;

import static org.anabranch.store.contract.StoreRows.branch;
import static org.anabranch.store.contract.StoreRows.create;
import static org.anabranch.store.contract.StoreRows.move;
import static org.anabranch.store.contract.StoreRows.moved;
import static org.anabranch.store.contract.StoreRows.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.MissingRowException;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.WriteOutcome.Written;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store whose log cannot be written for another reason than a full disk: the system lets this process write no further than
 * where the log ends. The write fails at its commit, and the store goes on over a connection of its own making.
 */
@Timeout(60)
class FailingDiskTest {

    private static final ReferenceRow MAIN = branch("main", 0, 9);

    @TempDir
    Path folder;

    /** The soft limit only, which a process may raise again. */
    private static boolean limitFiles(String bytes) throws InterruptedException {
        String self = String.valueOf(ProcessHandle.current().pid());
        return SystemCommand.run("prlimit", "--pid", self, "--fsize=" + bytes + ":");
    }

    @AfterEach
    void lift() throws Exception {
        limitFiles("unlimited");
    }

    @Test
    void theWritesAfterAFailedCommitFindNothingOfIt() throws Exception {
        assumeTrue(limitFiles("unlimited"), "needs prlimit, and a process without a limit of its own");
        ReferenceRow last = MAIN;
        try (EmbeddedStore store = EmbeddedStore.open(folder)) {
            store.write(List.of(), List.of(), create(MAIN), List.of());
            long written = Files.size(folder.resolve(EmbeddedStore.FILE + "-wal"));
            ReferenceRow before = MAIN;
            for (int failure = 1; failure <= 3; failure++) {
                long failed = 10L * failure;
                ReferenceRow seen = before;
                assertThat(limitFiles(String.valueOf(written))).isTrue();
                assertThatThrownBy(() -> store.write(
                                List.of(row(failed)), List.of(), move(seen, moved(seen, failed)), List.of()))
                        .isInstanceOf(OutcomeUnknownException.class);
                assertThat(store.reference("main")).as("reads go on").contains(seen);
                assertThatThrownBy(() -> store.numbers(1))
                        .as("and writes fail as long as it lasts")
                        .isInstanceOfAny(OutcomeUnknownException.class, StoreUnavailableException.class);
                assertThat(limitFiles("unlimited")).isTrue();

                last = moved(seen, failed + 1);
                assertThat(store.write(List.of(row(failed + 1)), List.of(), move(seen, last), List.of()))
                        .as("failure %d", failure)
                        .isEqualTo(new Written());
                assertThatThrownBy(() -> store.fetch(List.of(new ChunkAddress(failed, 0))))
                        .isInstanceOf(MissingRowException.class);
                written = Files.size(folder.resolve(EmbeddedStore.FILE + "-wal"));
                before = last;
            }
        }
        try (EmbeddedStore again = EmbeddedStore.open(folder)) {
            assertThat(again.reference("main")).contains(last);
            assertThat(again.fetch(List.of(new ChunkAddress(11, 0), new ChunkAddress(31, 0))))
                    .hasSize(2);
        }
    }
}
