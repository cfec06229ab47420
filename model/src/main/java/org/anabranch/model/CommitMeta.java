package org.anabranch.model;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Who made a commit, when and why, as it is stored. The commit's hash, time and parents are not part of it: they are
 * properties of the commit.
 *
 * @param message may be empty
 * @param committer the authenticated name; empty for an anonymous caller
 * @param authors in the order given; at least one
 * @param authorTime kept as given, to the nanosecond
 * @param signedOffBy in the order given
 * @param properties sorted by name, each with at least one value; a name space of its own, whatever the names
 */
public record CommitMeta(
        String message,
        String committer,
        List<String> authors,
        Instant authorTime,
        List<String> signedOffBy,
        Map<String, List<String>> properties) {

    public CommitMeta {
        authors = List.copyOf(authors);
        signedOffBy = List.copyOf(signedOffBy);
        Map<String, List<String>> sorted = new TreeMap<>();
        properties.forEach((name, values) -> {
            if (!values.isEmpty()) {
                sorted.put(name, List.copyOf(values));
            }
        });
        properties = Collections.unmodifiableMap(sorted);
    }
}
