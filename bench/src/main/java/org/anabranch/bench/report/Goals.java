package org.anabranch.bench.report;

import static org.anabranch.bench.report.Row.OURS;
import static org.anabranch.bench.report.Row.PEER;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.anabranch.bench.load.Round;

/** The goals of the project in speed and size, computed from one run. */
public final class Goals {

    /** What a contestant is called that writes the same bytes without a catalog. */
    public static final String RAW_CLIENT = "raw client";

    public static final String EMPTY_ENDPOINT = "empty";

    private static final String EMBEDDED = "embedded";
    private static final String POSTGRESQL = "postgresql";
    private static final int SMALL = 1_000;
    private static final int MIDDLE = 10_000;
    private static final int LARGE = 100_000;

    private final Results results;

    private Goals(Results results) {
        this.results = results;
    }

    public static List<Goal> of(Results results) {
        Goals goals = new Goals(results);
        List<Goal> all = new ArrayList<>();
        goals.commits(all);
        goals.growth(all);
        goals.reads(all);
        goals.branchesAndStorage(all);
        goals.rules(all);
        return all;
    }

    private void commits(List<Goal> all) {
        for (String engine : List.of(POSTGRESQL, EMBEDDED)) {
            all.add(Goal.atLeast(
                    "commits, one branch, 16 writers, " + engine + ", 10 k tables",
                    5,
                    " × the peer",
                    ratio(engine, MIDDLE, "commit-16-writers", PEER)));
        }
        Optional<Row> row = results.row(POSTGRESQL, MIDDLE, "commit-16-writers");
        all.add(Goal.atMost(
                "p99 of these on postgresql",
                0.1,
                " × the peer",
                quotient(
                        row.flatMap(commits -> commits.spread(OURS, Round::p99Millis)),
                        row.flatMap(commits -> commits.spread(PEER, Round::p99Millis)))));
        all.add(Goal.atMost(
                "conflicts and refusals returned by these",
                0,
                "",
                row.map(commits -> OptionalDouble.of(commits.conflicts(OURS))).orElse(OptionalDouble.empty())));
        all.add(Goal.atLeast(
                "these against a raw client that writes the same bytes and moves one row per commit",
                1,
                " × the raw client",
                ratio(POSTGRESQL, MIDDLE, "commit-16-writers", RAW_CLIENT)));
        all.add(Goal.atLeast(
                "commits, a branch per writer, 16 writers, postgresql, 10 k tables",
                3,
                " × the peer",
                ratio(POSTGRESQL, MIDDLE, "commit-branch-per-writer", PEER)));
    }

    private void growth(List<Goal> all) {
        for (String engine : List.of(EMBEDDED, POSTGRESQL)) {
            for (String workload : List.of("get-1", "commit-1-writer", "merge-10", "diff-10")) {
                all.add(Goal.atMost(
                        "time of " + workload + " at 100 k tables over 1 k, " + engine,
                        1.5,
                        " ×",
                        quotient(rate(engine, SMALL, workload), rate(engine, LARGE, workload))));
            }
        }
    }

    private void reads(List<Goal> all) {
        for (String engine : List.of(EMBEDDED, POSTGRESQL)) {
            all.add(Goal.atLeast(
                    "diff of 10, 100 k tables, " + engine, 30, " × the peer", ratio(engine, LARGE, "diff-10", PEER)));
        }
        all.add(Goal.atLeast(
                "merge of 10, 100 k tables, postgresql",
                15,
                " × the peer",
                ratio(POSTGRESQL, LARGE, "merge-10", PEER)));
        for (String engine : List.of(EMBEDDED, POSTGRESQL)) {
            all.add(Goal.atLeast(
                    "get one content, 16 connections, 10 k tables, " + engine,
                    2.5,
                    " × the peer",
                    ratio(engine, MIDDLE, "get-1", PEER)));
        }
        all.add(Goal.atLeast(
                "get one content, embedded, against an empty endpoint",
                60,
                " %",
                scaled(ratio(EMBEDDED, MIDDLE, "get-1", EMPTY_ENDPOINT), 100)));
        for (String engine : List.of(EMBEDDED, POSTGRESQL)) {
            all.add(Goal.atLeast(
                    "list 100 k entries, " + engine, 3, " × the peer", ratio(engine, LARGE, "list-all", PEER)));
            all.add(Goal.atLeast(
                    "whole listings of 100 k entries within a heap of 256 MB, " + engine,
                    5,
                    " of 5",
                    figure(engine, LARGE, Figure.SMALL_HEAP_LISTINGS)));
        }
    }

    private void branchesAndStorage(List<Goal> all) {
        for (String engine : List.of(EMBEDDED, POSTGRESQL)) {
            all.add(Goal.atLeast(
                    "create and delete a branch, 10 k tables, " + engine,
                    4,
                    " × the peer",
                    ratio(engine, MIDDLE, "create-delete-branch", PEER)));
        }
        all.add(Goal.atMost(
                "growth of the database per single-table commit, 100 k tables, postgresql",
                1 / 15.0,
                " × the peer",
                figureRatio(POSTGRESQL, Figure.COMMIT_KILOBYTES)));
        for (String engine : List.of(EMBEDDED, POSTGRESQL)) {
            all.add(Goal.atMost(
                    "bulk load of 100 k tables, time, " + engine,
                    1 / 3.0,
                    " × the peer",
                    figureRatio(engine, Figure.LOAD_SECONDS)));
            all.add(Goal.atMost(
                    "bulk load of 100 k tables, bytes, " + engine,
                    1 / 3.0,
                    " × the peer",
                    figureRatio(engine, Figure.LOAD_MEGABYTES)));
            all.add(Goal.atMost(
                    "resident memory after the load, 100 k tables, " + engine,
                    1 / 2.0,
                    " × the peer",
                    figureRatio(engine, Figure.LOADED_MEGABYTES)));
        }
    }

    /** What rules of authorization may cost. */
    private void rules(List<Goal> all) {
        for (String engine : List.of(EMBEDDED, POSTGRESQL)) {
            for (String workload : List.of("list-all", "commit-1-writer", "commit-16-writers", "commit-1000-tables")) {
                all.add(Goal.atMost(
                        "time of " + workload + " with 1,000 rules over without, 100 k tables, " + engine,
                        1.2,
                        " ×",
                        ratio(engine, LARGE, workload, Row.RULED)));
            }
        }
    }

    private OptionalDouble ratio(String engine, int tables, String workload, String to) {
        return results.row(engine, tables, workload)
                .flatMap(row -> row.ratio(OURS, to))
                .map(ratio -> OptionalDouble.of(ratio.median()))
                .orElse(OptionalDouble.empty());
    }

    private Optional<Spread> rate(String engine, int tables, String workload) {
        return results.row(engine, tables, workload).flatMap(row -> row.spread(OURS, Round::rate));
    }

    private OptionalDouble figure(String engine, int tables, String name) {
        return results.figure(engine, tables, name, OURS)
                .map(OptionalDouble::of)
                .orElse(OptionalDouble.empty());
    }

    private OptionalDouble figureRatio(String engine, String name) {
        OptionalDouble ours = figure(engine, LARGE, name);
        Optional<Double> theirs = results.figure(engine, LARGE, name, PEER);
        return ours.isPresent() && theirs.isPresent() && theirs.get() > 0
                ? OptionalDouble.of(ours.getAsDouble() / theirs.get())
                : OptionalDouble.empty();
    }

    private static OptionalDouble quotient(Optional<Spread> dividend, Optional<Spread> divisor) {
        return dividend.isPresent() && divisor.isPresent() && divisor.get().median() > 0
                ? OptionalDouble.of(dividend.get().median() / divisor.get().median())
                : OptionalDouble.empty();
    }

    private static OptionalDouble scaled(OptionalDouble value, double factor) {
        return value.isPresent() ? OptionalDouble.of(value.getAsDouble() * factor) : value;
    }
}
