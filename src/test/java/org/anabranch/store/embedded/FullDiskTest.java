package org.anabranch.store.embedded;

import static org.anabranch.store.contract.StoreRows.branch;
import static org.anabranch.store.contract.StoreRows.create;
import static org.anabranch.store.contract.StoreRows.move;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.anabranch.store.CommitRow;
import org.anabranch.store.Head;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.WriteOutcome.Written;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store on a disk that is full, and has space again later. The disk is a file system in memory, of a few megabytes. */
class FullDiskTest {

    private static final int ROW_BYTES = 20_000;
    private static final int OUTAGES = 2;
    private static final int BALLAST_BYTES = 2 << 20;

    @TempDir
    Path disk;

    private boolean isMounted;
    private EmbeddedStore store;

    @BeforeEach
    void mount() throws Exception {
        isMounted = SystemCommand.run("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk.toString());
        assumeTrue(isMounted, "needs the right to mount a file system");
        for (int outage = 0; outage < OUTAGES; outage++) {
            Files.write(ballast(outage), new byte[BALLAST_BYTES]);
        }
        store = EmbeddedStore.open(disk.resolve("store"));
    }

    @AfterEach
    void unmount() throws Exception {
        if (isMounted) {
            store.close();
            assertThat(SystemCommand.run("umount", disk.toString())).isTrue();
        }
    }

    @Test
    void whatIsRefusedDidNotHappenAndWithSpaceItGoesOn() throws Exception {
        ReferenceRow main = branch("main", 0, 99_999);
        store.write(List.of(), List.of(), create(main), List.of());
        for (int outage = 0; outage < OUTAGES; outage++) {
            main = writeUntilFull(main);
            ReferenceRow before = main;
            assertThatThrownBy(() -> writeNext(before))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageStartingWith("There is no space left for ");
            assertThat(store.reference("main")).contains(main);

            Files.delete(ballast(outage));
            ReferenceRow next = moved(main);
            assertThat(store.write(List.of(row(next)), List.of(), move(main, next), List.of()))
                    .as("outage %d", outage)
                    .isEqualTo(new Written());
            main = next;
        }
        store.close();
        store = EmbeddedStore.open(disk.resolve("store"));
        assertThat(store.reference("main")).contains(main);
    }

    /** What is deleted to end an outage. */
    private Path ballast(int outage) {
        return disk.resolve("ballast-" + outage);
    }

    /** Returns the last acknowledged state. */
    private ReferenceRow writeUntilFull(ReferenceRow from) {
        ReferenceRow acknowledged = from;
        while (true) {
            try {
                acknowledged = writeNext(acknowledged);
            } catch (StoreUnavailableException full) {
                assertThat(full).hasMessageStartingWith("There is no space left for ");
                assertThat(store.reference("main")).contains(acknowledged);
                return acknowledged;
            }
        }
    }

    private ReferenceRow writeNext(ReferenceRow from) {
        ReferenceRow next = moved(from);
        assertThat(store.write(List.of(row(next)), List.of(), move(from, next), List.of()))
                .isEqualTo(new Written());
        return next;
    }

    private static ReferenceRow moved(ReferenceRow from) {
        long number = from.head().number() + 1;
        return from.movedTo(new Head(number, WriterProcess.id("main", number)), List.of());
    }

    private static CommitRow row(ReferenceRow next) {
        Head head = next.head();
        return new CommitRow(head.number(), head.id(), List.of(head.number() - 1), List.of(new byte[ROW_BYTES]));
    }
}
