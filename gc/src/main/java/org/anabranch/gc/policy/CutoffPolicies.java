package org.anabranch.gc.policy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.anabranch.api.v2.GarbageCollectorConfig;
import org.anabranch.gc.Cutoff;
import org.anabranch.gc.ReferenceHead;
import org.anabranch.model.ReferenceKind;

/**
 * The policies of all references: of branches and tags apart, the first rule whose pattern matches the whole name decides, or else
 * the default.
 */
public record CutoffPolicies(ByName branches, ByName tags) {

    /** Everything on every reference is live: what holds when nobody said anything. */
    public static final CutoffPolicies KEEP_EVERYTHING = new CutoffPolicies(
            new ByName(List.of(), new CutoffPolicy.Everything()), new ByName(List.of(), new CutoffPolicy.Everything()));

    /** The policies of one kind of reference. */
    public record ByName(List<Rule> rules, CutoffPolicy fallback) {

        public ByName {
            rules = List.copyOf(rules);
        }

        CutoffPolicy of(String name) {
            return rules.stream()
                    .filter(rule -> rule.names.matcher(name).matches())
                    .findFirst()
                    .map(Rule::policy)
                    .orElse(fallback);
        }

        @Override
        public String toString() {
            if (rules.isEmpty()) {
                return fallback.toString();
            }
            StringBuilder text = new StringBuilder();
            rules.forEach(rule -> text.append(rule).append(", "));
            return text.append("otherwise ").append(fallback).toString();
        }
    }

    /** A policy for the references whose whole names match. */
    public record Rule(Pattern names, CutoffPolicy policy) {

        /** @throws IllegalArgumentException if the pattern or the policy cannot be read */
        public static Rule parse(String pattern, String policy) {
            try {
                return new Rule(Pattern.compile(pattern), CutoffPolicy.parse(policy));
            } catch (PatternSyntaxException e) {
                throw new IllegalArgumentException(
                        "'" + pattern + "' is no pattern of reference names: " + e.getDescription() + " near position "
                                + e.getIndex(),
                        e);
            }
        }

        @Override
        public String toString() {
            return "'" + names + "' " + policy;
        }
    }

    /** Takes what the repository itself has stored, which does not tell branches from tags. */
    public static CutoffPolicies of(GarbageCollectorConfig config) {
        List<Rule> rules = new ArrayList<>();
        config.perRefCutoffPolicies()
                .forEach(each -> rules.add(Rule.parse(each.referenceNamePattern(), each.policy())));
        ByName all = new ByName(
                rules,
                config.defaultCutoffPolicy() == null
                        ? new CutoffPolicy.Everything()
                        : CutoffPolicy.parse(config.defaultCutoffPolicy()));
        return new CutoffPolicies(all, all);
    }

    /** How far a reference is live in a run that began at some time. */
    public Cutoff cutoff(ReferenceHead reference, Instant startedAt) {
        ByName policies = reference.kind() == ReferenceKind.BRANCH ? branches : tags;
        return policies.of(reference.name()).at(startedAt);
    }

    @Override
    public String toString() {
        return branches.equals(tags) ? branches.toString() : "branches: " + branches + "; tags: " + tags;
    }
}
