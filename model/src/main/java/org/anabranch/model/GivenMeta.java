package org.anabranch.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client says about a commit it asks for. The rest is the server's: committer, time, hash and parents.
 *
 * @param message may be empty; a merge without one gets a generated message
 * @param authors in the order given; may be empty
 * @param authorTime null for the time of the request
 * @param signedOffBy in the order given
 * @param properties by name; a name without values is dropped
 */
public record GivenMeta(
        String message,
        List<String> authors,
        @Nullable Instant authorTime,
        List<String> signedOffBy,
        Map<String, List<String>> properties) {

    public GivenMeta {
        authors = List.copyOf(authors);
        signedOffBy = List.copyOf(signedOffBy);
        properties = Map.copyOf(properties);
    }

    /** Nothing but a message. */
    public static GivenMeta ofMessage(String message) {
        return new GivenMeta(message, List.of(), null, List.of(), Map.of());
    }

    /**
     * The metadata to store.
     *
     * @param committer the caller's authenticated name, empty if anonymous; also the author if no author with a name is given
     * @param now the time of the request
     */
    public CommitMeta toCommitMeta(String message, String committer, Instant now) {
        List<String> named =
                authors.stream().filter(author -> !author.isEmpty()).toList();
        return new CommitMeta(
                message,
                committer,
                named.isEmpty() ? List.of(committer) : named,
                authorTime == null ? now : authorTime,
                signedOffBy,
                properties);
    }
}
