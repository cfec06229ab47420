package org.anabranch.bench.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.anabranch.bench.load.Round;

/**
 * One workload on one kind of store at one size, all rounds of all contestants in the order they ran.
 *
 * @param engine word for the kind of store
 * @param tables in the catalog
 */
public record Row(String engine, int tables, String workload, List<Round> rounds) {

    public static final String OURS = "anabranch";
    public static final String PEER = "nessie";

    /** Ours with rules in force. */
    public static final String RULED = "ruled";

    /** Above this share of the machine used by others, figures say more about them. */
    private static final double MOST_FOREIGN_SHARE = 0.15;

    public Row {
        rounds = List.copyOf(rounds);
    }

    public List<Round> roundsOf(String contestant) {
        return rounds.stream()
                .filter(round -> round.contestant().equals(contestant))
                .toList();
    }

    public boolean has(String contestant) {
        return !roundsOf(contestant).isEmpty();
    }

    /** Spread of a figure over the rounds of a contestant; empty if it did not take part. */
    public Optional<Spread> spread(String contestant, ToDoubleFunction<Round> figure) {
        return Spread.of(
                roundsOf(contestant).stream().mapToDouble(figure).boxed().toList());
    }

    /** How many times a contestant's rate another one's is, by pairs of rounds; empty if one did not take part. */
    public Optional<Spread> ratio(String contestant, String to) {
        List<Round> ours = roundsOf(contestant);
        List<Round> theirs = roundsOf(to);
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < Math.min(ours.size(), theirs.size()); i++) {
            if (theirs.get(i).rate() > 0) {
                ratios.add(ours.get(i).rate() / theirs.get(i).rate());
            }
        }
        return Spread.of(ratios);
    }

    public long conflicts(String contestant) {
        return roundsOf(contestant).stream()
                .mapToLong(round -> round.conflicts() + round.refusals())
                .sum();
    }

    public long errors() {
        return rounds.stream().mapToLong(Round::errors).sum();
    }

    /** With whose it is; empty if there is none. */
    public String firstError() {
        return rounds.stream()
                .filter(round -> !round.firstError().isEmpty())
                .findFirst()
                .map(round -> round.contestant() + ", " + round.firstError())
                .orElse("");
    }

    /** Whether other programs used so much of the machine that the row should be measured again. */
    public boolean disturbed() {
        List<Double> shares = rounds.stream()
                .map(Round::foreignShare)
                .sorted(Collections.reverseOrder())
                .toList();
        return Spread.of(shares).orElseThrow().median() > MOST_FOREIGN_SHARE;
    }
}
