package org.anabranch.cli.gc.laws;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.projectnessie.model.CommitMeta;
import org.projectnessie.model.Reference;
import org.projectnessie.model.Reference.ReferenceType;

/** Which commits of a reference are live. */
record Cutoffs(ByName branches, ByName tags) {

    static final Cutoffs NONE =
            new Cutoffs(new ByName(new Policy.None(), Map.of()), new ByName(new Policy.None(), Map.of()));

    /** Nothing but the heads is live. */
    static Cutoffs heads() {
        return new Cutoffs(new ByName(new Policy.Count(1), Map.of()), new ByName(new Policy.Count(1), Map.of()));
    }

    /**
     * The first policy whose pattern matches a whole name, else the default one.
     *
     * @param byPattern in the order in which they are tried
     */
    record ByName(Policy defaultPolicy, Map<String, Policy> byPattern) {

        private String toYaml() {
            StringBuilder yaml = new StringBuilder("  default: '" + defaultPolicy + "'\n");
            if (!byPattern.isEmpty()) {
                yaml.append("  rules:\n");
            }
            byPattern.forEach(
                    (pattern, policy) -> yaml.append("    - {pattern: '" + pattern + "', cutoff: '" + policy + "'}\n"));
            return yaml.toString();
        }

        private Policy policy(String name) {
            return byPattern.entrySet().stream()
                    .filter(entry -> name.matches(entry.getKey()))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElse(defaultPolicy);
        }
    }

    /** A policy as its text says it. */
    sealed interface Policy {

        /** {@code NONE}. */
        record None() implements Policy {
            @Override
            public String toString() {
                return "NONE";
            }
        }

        /** The youngest so many commits. */
        record Count(int commits) implements Policy {
            @Override
            public String toString() {
                return Integer.toString(commits);
            }
        }

        /** Commits of this time and later ones. */
        record Since(Instant time) implements Policy {
            @Override
            public String toString() {
                return time.toString();
            }
        }

        /** Commits that are at most so old. */
        record Age(Duration age) implements Policy {
            @Override
            public String toString() {
                return age.toString();
            }
        }
    }

    /** As a policy file of the collector says it. */
    String toYaml() {
        return "branches:\n" + branches.toYaml() + "tags:\n" + tags.toYaml();
    }

    /** The head is always live. */
    boolean isLive(Reference reference, int position, Instant committedAt, Instant now) {
        if (position == 1) {
            return true;
        }
        ByName policies = reference.getType() == ReferenceType.TAG ? tags : branches;
        return switch (policies.policy(reference.getName())) {
            case Policy.None none -> true;
            case Policy.Count count -> position <= count.commits();
            case Policy.Since since -> !committedAt.isBefore(since.time());
            case Policy.Age age -> !committedAt.isBefore(now.minus(age.age()));
        };
    }

    /** Random cutoffs over a history of these commits. */
    static Cutoffs random(Random random, List<CommitMeta> commits) {
        List<Instant> times = commits.stream().map(CommitMeta::getCommitTime).toList();
        return new Cutoffs(
                policies(random, times, List.of("main", "branch[0-3]|branch5", "branch.*")),
                policies(random, times, List.of("tag1", "tag.*")));
    }

    private static ByName policies(Random random, List<Instant> times, List<String> patterns) {
        Map<String, Policy> byPattern = new LinkedHashMap<>();
        for (String pattern : patterns) {
            if (random.nextBoolean()) {
                byPattern.put(pattern, policy(random, times));
            }
        }
        return new ByName(policy(random, times), byPattern);
    }

    private static Policy policy(Random random, List<Instant> times) {
        List<Policy> policies = new ArrayList<>(List.of(
                new Policy.None(),
                new Policy.Count(1),
                new Policy.Count(1 + random.nextInt(6)),
                new Policy.Age(Duration.ofHours(1 + random.nextInt(200)))));
        if (!times.isEmpty()) {
            policies.add(new Policy.Since(times.get(random.nextInt(times.size()))));
        }
        return policies.get(random.nextInt(policies.size()));
    }
}
