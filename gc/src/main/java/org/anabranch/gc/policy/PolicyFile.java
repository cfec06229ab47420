package org.anabranch.gc.policy;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Policies in a YAML file: {@code branches} and {@code tags}, each with {@code default} and {@code rules}. */
public final class PolicyFile {

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory())
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private PolicyFile() {}

    private record Root(@Nullable Kind branches, @Nullable Kind tags) {}

    private record Kind(
            @JsonProperty("default") @Nullable String fallback,
            @Nullable List<Entry> rules) {}

    private record Entry(
            @JsonProperty(required = true) @Nullable String pattern,
            @JsonProperty(required = true) @Nullable String cutoff) {}

    /**
     * Reads a file. What it does not mention keeps everything.
     *
     * @throws IllegalArgumentException if it cannot be read or understood; the message names the place
     */
    public static CutoffPolicies read(Path file) {
        try {
            Root root = YAML.readValue(Files.readString(file), Root.class);
            if (root == null) {
                throw new IllegalArgumentException("The policy file " + file + " is empty");
            }
            return new CutoffPolicies(policies("branches", root.branches), policies("tags", root.tags));
        } catch (JsonProcessingException e) {
            String place =
                    e.getLocation() == null ? "" : " at line " + e.getLocation().getLineNr();
            throw new IllegalArgumentException(
                    "The policy file " + file + " cannot be understood" + place + ": " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new IllegalArgumentException("The policy file " + file + " cannot be read: " + e, e);
        } catch (UnclearPolicy e) {
            throw new IllegalArgumentException("The policy file " + file + ": " + e.getMessage(), e);
        }
    }

    private static CutoffPolicies.ByName policies(String name, @Nullable Kind kind) {
        if (kind == null) {
            return CutoffPolicies.KEEP_EVERYTHING.branches();
        }
        try {
            List<CutoffPolicies.Rule> rules = kind.rules == null
                    ? List.of()
                    : kind.rules.stream().map(PolicyFile::rule).toList();
            return new CutoffPolicies.ByName(
                    rules, kind.fallback == null ? new CutoffPolicy.Everything() : CutoffPolicy.parse(kind.fallback));
        } catch (IllegalArgumentException e) {
            throw new UnclearPolicy(name + ": " + e.getMessage(), e);
        }
    }

    private static CutoffPolicies.Rule rule(@Nullable Entry entry) {
        if (entry == null || entry.pattern == null || entry.cutoff == null) {
            throw new IllegalArgumentException("a rule needs 'pattern' and 'cutoff'");
        }
        return CutoffPolicies.Rule.parse(entry.pattern, entry.cutoff);
    }

    /** What is wrong, before the file is named. */
    private static final class UnclearPolicy extends RuntimeException {

        private static final long serialVersionUID = 1L;

        UnclearPolicy(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
