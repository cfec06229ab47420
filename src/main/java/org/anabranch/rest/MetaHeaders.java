package org.anabranch.rest;

import jakarta.ws.rs.core.HttpHeaders;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.anabranch.model.GivenMeta;

/** The request headers by which gateways and jobs add to the metadata of the commits that a request makes. */
final class MetaHeaders {

    /** What the names of all of them start with, in lower case. */
    static final String PREFIX = "nessie-commit-";

    private static final String MESSAGE = "Nessie-Commit-Message";
    private static final String AUTHORS = "Nessie-Commit-Authors";
    private static final String SIGNED_OFF_BY = "Nessie-Commit-SignedOffBy";
    private static final String PROPERTY_PREFIX = "nessie-commit-property-";

    private MetaHeaders() {}

    /** The message header replaces, authors and sign-offs are appended, a property replaces its namesake. Blanks don't count. */
    static GivenMeta applied(GivenMeta meta, HttpHeaders headers) {
        Map<String, List<String>> properties = new LinkedHashMap<>(meta.properties());
        headers.getRequestHeaders().forEach((name, values) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            List<String> given = trimmed(values.stream());
            if (lower.startsWith(PROPERTY_PREFIX) && lower.length() > PROPERTY_PREFIX.length() && !given.isEmpty()) {
                properties.put(lower.substring(PROPERTY_PREFIX.length()), given);
            }
        });
        List<String> messages = trimmed(headers.getRequestHeader(MESSAGE).stream());
        return new GivenMeta(
                messages.isEmpty() ? meta.message() : messages.get(0),
                appended(meta.authors(), headers.getRequestHeader(AUTHORS)),
                meta.authorTime(),
                appended(meta.signedOffBy(), headers.getRequestHeader(SIGNED_OFF_BY)),
                properties);
    }

    private static List<String> appended(List<String> given, List<String> headers) {
        List<String> all = new ArrayList<>(given);
        all.addAll(trimmed(headers.stream().flatMap(header -> Arrays.stream(header.split(",")))));
        return all;
    }

    private static List<String> trimmed(Stream<String> values) {
        return values.map(String::trim).filter(value -> !value.isEmpty()).toList();
    }
}
