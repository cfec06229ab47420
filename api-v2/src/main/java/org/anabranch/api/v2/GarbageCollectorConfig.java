package org.anabranch.api.v2;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.anabranch.model.Checks;
import org.jspecify.annotations.Nullable;

/**
 * What the collector of unreferenced files goes by.
 *
 * @param defaultCutoffPolicy {@code NONE}, a number of commits, a duration or an instant; null to leave it to the collector
 * @param perRefCutoffPolicies the first whose pattern matches a reference's name counts; not checked any further
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record GarbageCollectorConfig(
        @Nullable String defaultCutoffPolicy,
        List<ReferenceCutoffPolicy> perRefCutoffPolicies,
        @Nullable Duration newFilesGracePeriod,
        @Nullable Integer expectedFileCountPerContent)
        implements RepositoryConfig {

    /** Wire name of this kind of settings. */
    public static final String TYPE = "GARBAGE_COLLECTOR";

    private static final Pattern COMMITS = Pattern.compile("[1-9][0-9]{0,10}");

    public GarbageCollectorConfig {
        perRefCutoffPolicies = Checks.copied("perRefCutoffPolicies", perRefCutoffPolicies);
        if (defaultCutoffPolicy != null && !isPolicy(defaultCutoffPolicy)) {
            throw new IllegalArgumentException("defaultCutoffPolicy: Failed to parse default-cutoff-value '"
                    + defaultCutoffPolicy
                    + "'; give NONE, a number of commits, a duration such as P30D, or an instant such as"
                    + " 2026-01-31T12:00:00Z");
        }
    }

    /** A cutoff for the references whose names match a pattern. */
    public record ReferenceCutoffPolicy(String referenceNamePattern, String policy) {

        public ReferenceCutoffPolicy {
            Checks.required("referenceNamePattern", referenceNamePattern);
            Checks.required("policy", policy);
        }
    }

    private static boolean isPolicy(String text) {
        return text.equalsIgnoreCase("NONE")
                || COMMITS.matcher(text).matches()
                || reads(() -> Duration.parse(text))
                || reads(() -> OffsetDateTime.parse(text))
                || reads(() -> ZonedDateTime.parse(text));
    }

    private static boolean reads(Supplier<Object> parse) {
        try {
            parse.get();
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }
}
