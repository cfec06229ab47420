package org.anabranch.service;

import static org.anabranch.service.KeyFixture.MAIN;
import static org.anabranch.testing.Callers.UNRESTRICTED;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.anabranch.model.ChildrenRequest;
import org.anabranch.model.CommitId;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.Detail;
import org.anabranch.model.EntriesRequest;
import org.anabranch.model.KeyHistoryEntry;
import org.anabranch.model.KeySelection;
import org.anabranch.model.Operation;
import org.anabranch.model.RefSpec;
import org.anabranch.object.Commit;
import org.anabranch.security.Access;
import org.anabranch.testing.Callers;
import org.anabranch.testing.TestCatalog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What questions about keys cost in reads of commits and nodes, cached or not: it depends on the answer, not on the catalog. */
class KeyCostTest {

    /** So many tables are created by each of the first commits. */
    private static final int BATCH = 500;

    /** Commits that update one table each, behind those. */
    private static final int UPDATES = 400;

    private final KeyFixture fixture = new KeyFixture();
    private final TestCatalog catalog = fixture.catalog;

    private static String name(int n) {
        return String.format("tables.t%06d", n);
    }

    private static Operation update(int n, int state) {
        // Ids are counted up from 1, of which the namespaces take three.
        return put(name(n), table("state " + state), new ContentId(new UUID(0, n + 4)));
    }

    private void fill(int keys) {
        catalog.commit(
                TestCatalog.MAIN,
                put("empty", TestCatalog.namespace()),
                put("tables", TestCatalog.namespace()),
                put("u", TestCatalog.namespace()));
        for (int from = 0; from < keys; from += BATCH) {
            catalog.commit(
                    TestCatalog.MAIN,
                    IntStream.range(from, Math.min(keys, from + BATCH))
                            .mapToObj(n -> put(name(n), table("new")))
                            .toArray(Operation[]::new));
        }
        // Every eighth update is of the table in the middle, the others are spread.
        for (int i = 0; i < UPDATES; i++) {
            catalog.commit(TestCatalog.MAIN, update(i % 8 == 0 ? keys / 2 : (i * 7919) % keys, i));
        }
    }

    private Commit head() {
        return catalog.commit(catalog.head(TestCatalog.MAIN));
    }

    private int levels() {
        return head().tree().level() + 1;
    }

    /** Steps from one commit of the line to another take no more reads than that. */
    private int steps() {
        return 2 * (64 - Long.numberOfLeadingZeros(head().seq()));
    }

    @ParameterizedTest(name = "{0} keys")
    @ValueSource(ints = {1_000, 10_000, 100_000})
    void everyAnswerCostsWhatItShows(int keys) {
        fill(keys);
        historyCostsItsChanges(keys);
        aDeletionIsFoundThroughItsNeighbours(keys);
        lastChangesCostAPageOfEntriesAndAFewBulkReads(keys);
        childrenCostAFewPathsEach(keys);
        countsCostTwoPaths(keys);
    }

    private void historyCostsItsChanges(int keys) {
        fixture.reader.resetCounts();
        List<KeyHistoryEntry> history = fixture.history(TestCatalog.key(name(keys / 2)), Detail.MINIMAL, 250);
        int changes = history.size();
        assertThat(changes).isBetween(UPDATES / 8 + 1, UPDATES / 4);
        assertThat(fixture.reader.commitsRead()).isLessThanOrEqualTo(2 + changes * (steps() + 1));
        assertThat(fixture.reader.nodesRead())
                .as("a path for each change, and for the table's birth the keys of the same commit")
                .isLessThanOrEqualTo((changes + 1) * levels() + BATCH * levels());
        assertThat(fixture.reader.operationsRead()).isEqualTo(1);
    }

    private void aDeletionIsFoundThroughItsNeighbours(int keys) {
        String gone = name(keys / 4);
        int before = fixture.history(TestCatalog.key(gone), Detail.MINIMAL, 250).size();
        catalog.commit(TestCatalog.MAIN, TestCatalog.delete(gone));
        int neighbours = 0;
        for (int i = 0; i < UPDATES / 2; i++) {
            int n = (i * 7919) % keys;
            if (n != keys / 4) {
                catalog.commit(TestCatalog.MAIN, update(n, UPDATES + i));
                neighbours += Math.abs(n - keys / 4) < 64 ? 1 : 0;
            }
        }
        fixture.reader.resetCounts();
        List<KeyHistoryEntry> history = fixture.history(TestCatalog.key(gone), Detail.MINIMAL, 1);
        assertThat(history).hasSize(before + 1);
        // Each page begins with the change that the page before has found already. That there is no other behind the
        // creation
        // is seen from the commits before it, each of which changed the end of the namespace, where the key came to be.
        int looked = 2 * (before + 1);
        assertThat(fixture.reader.commitsRead())
                .as("with %d later changes of neighbours", neighbours)
                .isLessThanOrEqualTo(looked * (steps() + 4) + 2 * (neighbours + keys / 4 / BATCH + 2));
    }

    private void lastChangesCostAPageOfEntriesAndAFewBulkReads(int keys) {
        KeySelection selection = new KeySelection(null, TestCatalog.key(name(keys / 2)), null, null);
        fixture.reader.resetCounts();
        assertThat(fixture.entries
                        .list(new EntriesRequest(MAIN, selection, Detail.MINIMAL, "", 100, ""), UNRESTRICTED)
                        .entries()
                        .toList())
                .hasSize(100);
        assertThat(fixture.reader.nodesRead()).isLessThanOrEqualTo(levels() + 100);
        assertThat(fixture.reader.trips())
                .as("the head, the nodes, the steps to the commits")
                .isLessThanOrEqualTo(1 + levels() + 8 + steps());
    }

    private void childrenCostAFewPathsEach(int keys) {
        fixture.reader.resetCounts();
        assertThat(fixture.children
                        .list(new ChildrenRequest(MAIN, null, Detail.MINIMAL, 0, ""), UNRESTRICTED)
                        .children()
                        .toList())
                .extracting(changed -> changed.entry().key())
                .containsExactly(ContentKey.of("empty"), ContentKey.of("tables"), ContentKey.of("u"));
        assertThat(fixture.reader.nodesRead()).isLessThanOrEqualTo(3 * (levels() + 14));
        assertThat(fixture.reader.commitsRead()).isLessThanOrEqualTo(1 + 2 * steps());
    }

    private void countsCostTwoPaths(int keys) {
        fixture.reader.resetCounts();
        assertThat(fixture.counts
                        .count(MAIN, ContentKey.of("tables"), UNRESTRICTED)
                        .count())
                .isEqualTo(keys - 1);
        assertThat(fixture.reader.nodesRead()).isLessThanOrEqualTo(2 * levels());
        assertThat(fixture.reader.commitsRead()).isEqualTo(1);
    }

    @Test
    void aHashBesideANameCostsTheWayToItOnlyForWhomRulesRestrict() {
        CommitId old = CommitId.NO_ANCESTOR;
        for (int i = 0; i < 1_000; i++) {
            CommitId next = catalog.commit(TestCatalog.MAIN, put("t" + i, table("new")));
            old = i == 17 ? next : old;
        }
        RefSpec atOld = TestCatalog.at(TestCatalog.MAIN, old);
        Access restricted = Callers.ruled("ann", "allow: [read], references: [main]");
        assertThat(commitsRead(MAIN, UNRESTRICTED)).isEqualTo(1);
        assertThat(commitsRead(atOld, UNRESTRICTED)).isEqualTo(1);
        assertThat(commitsRead(atOld, Callers.ruled("ann", "allow: [all]"))).isEqualTo(1);
        assertThat(commitsRead(MAIN, restricted)).isEqualTo(1);
        assertThat(commitsRead(atOld, restricted))
                .as("jumps along 1,000 commits")
                .isBetween(3, 30);
    }

    private int commitsRead(RefSpec reference, Access access) {
        fixture.reader.resetCounts();
        fixture.counts.count(reference, null, access);
        return fixture.reader.commitsRead();
    }
}
