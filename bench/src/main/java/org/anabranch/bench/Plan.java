package org.anabranch.bench;

import java.time.Duration;
import java.util.List;
import org.anabranch.bench.store.Engine;
import org.anabranch.bench.workload.Workload;

/**
 * What a run measures.
 *
 * @param sizes numbers of tables, ascending
 * @param historyCommits of one table each that every catalog gets after its bulk load
 */
record Plan(
        List<Engine> engines,
        List<Integer> sizes,
        List<Workload> workloads,
        int rounds,
        Duration round,
        Duration warmUp,
        int historyCommits,
        boolean withPeer,
        boolean withRules) {

    /** Branches do not depend on the number of tables, and ten thousand of them take their time. */
    private static final String ONCE_PER_ENGINE = "list-10k-branches";

    private static final double OVERHEAD = 1.2;
    private static final int SECONDS_PER_GROUP = 50;

    List<Workload> workloads(int tables) {
        return workloads.stream()
                .filter(workload -> !workload.name().equals(ONCE_PER_ENGINE) || tables == sizes.getFirst())
                .toList();
    }

    int contestants() {
        return 1 + (withPeer ? 1 : 0) + (withRules ? 1 : 0);
    }

    Duration perRow() {
        return Duration.ofMillis((long) (OVERHEAD * contestants() * (rounds * round.toMillis() + warmUp.toMillis())));
    }

    int largestSize() {
        return sizes.getLast();
    }

    /** Of one store and size, without its rows: loading, starting, warming up. */
    Duration perGroup(int tables) {
        double load = tables / 1_000.0 * (withPeer ? 0.8 : 0.2) + historyCommits / (withPeer ? 80.0 : 200.0);
        return Duration.ofSeconds((long) (contestants() * SECONDS_PER_GROUP / 2.0 + load));
    }

    Duration estimate() {
        Duration sum = Duration.ZERO;
        for (int tables : sizes) {
            sum = sum.plus(perGroup(tables)
                    .plus(perRow().multipliedBy(workloads(tables).size()))
                    .multipliedBy(engines.size()));
        }
        return sum;
    }
}
