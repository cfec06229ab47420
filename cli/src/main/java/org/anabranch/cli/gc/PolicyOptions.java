package org.anabranch.cli.gc;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.anabranch.gc.api.ApiCatalogSource;
import org.anabranch.gc.policy.CutoffPolicies;
import org.anabranch.gc.policy.CutoffPolicies.ByName;
import org.anabranch.gc.policy.CutoffPolicies.Rule;
import org.anabranch.gc.policy.CutoffPolicy;
import org.anabranch.gc.policy.PolicyFile;
import org.anabranch.model.CommitId;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How far back references keep files alive: by these options, else by a policy file, else by what the repository keeps. */
final class PolicyOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--cutoff",
            paramLabel = "POLICY",
            description =
                    "of branches that no pattern matches: NONE for their whole history, a number of commits, a duration"
                            + " such as P30D, or an instant (NONE)")
    private @Nullable String cutoff;

    @Option(
            names = "--cutoff-for",
            paramLabel = "PATTERN=POLICY",
            description =
                    "of branches whose whole names match a regular expression; may be repeated, the first match counts")
    private Map<String, String> cutoffs = new LinkedHashMap<>();

    @Option(names = "--tag-cutoff", paramLabel = "POLICY", description = "the same for tags (NONE)")
    private @Nullable String tagCutoff;

    @Option(names = "--tag-cutoff-for", paramLabel = "PATTERN=POLICY", description = "the same for tags")
    private Map<String, String> tagCutoffs = new LinkedHashMap<>();

    @Option(
            names = "--policy-file",
            paramLabel = "FILE",
            description = "YAML with branches and tags, each with default and rules; not beside the options above")
    private @Nullable Path policyFile;

    @Option(
            names = "--pin",
            paramLabel = "HASH",
            description = "keeps what one commit shows, whatever references say; may be repeated")
    private List<String> pins = List.of();

    /**
     * Policies with the place they come from.
     *
     * @param leastSafetyAge what that place demands beside them
     */
    record Chosen(CutoffPolicies policies, String origin, Duration leastSafetyAge) {

        Chosen(CutoffPolicies policies, String origin) {
            this(policies, origin, Duration.ZERO);
        }
    }

    Chosen policies(ApiCatalogSource catalog) {
        try {
            boolean areOptionsGiven =
                    cutoff != null || tagCutoff != null || !cutoffs.isEmpty() || !tagCutoffs.isEmpty();
            if (policyFile != null && areOptionsGiven) {
                throw new IllegalArgumentException("--policy-file: give either a file or options of cutoffs, not both");
            }
            if (policyFile != null) {
                return new Chosen(PolicyFile.read(policyFile), policyFile.toString());
            }
            if (areOptionsGiven) {
                return new Chosen(
                        new CutoffPolicies(byName(cutoffs, cutoff), byName(tagCutoffs, tagCutoff)), "options");
            }
            return catalog.collectorConfig()
                    .map(config -> new Chosen(
                            CutoffPolicies.of(config),
                            "the repository's configuration",
                            config.newFilesGracePeriod() == null ? Duration.ZERO : config.newFilesGracePeriod()))
                    .orElse(new Chosen(CutoffPolicies.KEEP_EVERYTHING, "the default"));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    List<CommitId> pins() {
        try {
            return pins.stream().map(CommitId::parse).toList();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--pin: " + e.getMessage(), e);
        }
    }

    private static ByName byName(Map<String, String> rules, @Nullable String fallback) {
        return new ByName(
                rules.entrySet().stream()
                        .map(rule -> Rule.parse(rule.getKey(), rule.getValue()))
                        .toList(),
                CutoffPolicy.parse(fallback == null ? "NONE" : fallback));
    }
}
