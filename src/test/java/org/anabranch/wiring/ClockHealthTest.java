package org.anabranch.wiring;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.anabranch.dag.CommitGraph;
import org.anabranch.object.Commit;
import org.anabranch.object.StoredObjects;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.MissingRowException;
import org.anabranch.store.Store;
import org.anabranch.testing.ForwardingStore;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.refs.References;
import org.anabranch.versioning.refs.Repository;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.junit.jupiter.api.Test;

class ClockHealthTest {

    private final TestCatalog catalog = new TestCatalog();
    private final Commit head = catalog.commit(catalog.commit(MAIN, put("a", table("a"))));
    private final Instant createdAt = Instant.EPOCH.plus(head.createdAtMicros(), ChronoUnit.MICROS);

    @Test
    void aHeadOfTheFutureIsWarnedOf() {
        assertThat(ClockHealth.warning(head, createdAt.minusSeconds(3_600)))
                .contains("The head of the default branch is 3600 s ahead of this process's clock:"
                        + " set the clocks of all processes right");
    }

    @Test
    void clocksMayDifferALittle() {
        assertThat(ClockHealth.warning(head, createdAt.minusSeconds(10))).isEmpty();
        assertThat(ClockHealth.warning(head, createdAt.plusSeconds(86_400))).isEmpty();
        assertThat(ClockHealth.warning(Commit.NO_ANCESTOR, createdAt)).isEmpty();
    }

    /** Which is no reason to send every request elsewhere. */
    @Test
    void aHeadThatIsMissingIsWarnedOf() {
        Store damaged = new ForwardingStore(catalog.store()) {
            @Override
            public List<byte[]> fetch(List<ChunkAddress> chunks) {
                throw new MissingRowException(chunks);
            }
        };
        StoredObjects objects = new StoredObjects(damaged, 1 << 20);
        References references = new References(damaged, objects, new CommitGraph(objects), MAIN);
        Repository repository = Repository.open(damaged, damaged.repository().orElseThrow());

        HealthCheckResponse answer =
                new ClockHealth(references, repository, objects, InstantSource.fixed(createdAt)).call();

        assertThat(answer.getStatus()).isEqualTo(HealthCheckResponse.Status.UP);
        assertThat(answer.getData().orElseThrow().get("warning"))
                .isEqualTo(
                        "The head of the default branch cannot be read: a check of the repository tells what is damaged");
    }
}
