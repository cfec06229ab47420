package org.anabranch.api.v2;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.anabranch.model.Checks;
import org.jspecify.annotations.Nullable;

/**
 * What a request says about a commit it asks for. Takes the form of API v1 as well: {@code author}, {@code signedOffBy} and
 * {@code properties} count where their successors are absent.
 *
 * <p>The one body that refuses unknown fields: a misspelt author would be lost without a word.
 */
public record CommitMetaInput(
        String message,
        List<String> authors,
        @Nullable Instant authorTime,
        List<String> allSignedOffBy,
        Map<String, List<String>> allProperties) {

    public CommitMetaInput {
        Checks.required("message", message);
        authors = Checks.copied("authors", authors);
        allSignedOffBy = Checks.copied("allSignedOffBy", allSignedOffBy);
        Map<String, List<String>> properties = new LinkedHashMap<>();
        allProperties.forEach((name, values) -> properties.put(name, Checks.copied("allProperties." + name, values)));
        allProperties = Collections.unmodifiableMap(properties);
    }

    @JsonCreator
    static CommitMetaInput read(
            @JsonProperty("message") String message,
            @JsonProperty("authors") @Nullable List<String> authors,
            @JsonProperty("author") @Nullable String author,
            @JsonProperty("authorTime") @Nullable Instant authorTime,
            @JsonProperty("allSignedOffBy") @Nullable List<String> allSignedOffBy,
            @JsonProperty("signedOffBy") @Nullable String signedOffBy,
            @JsonProperty("allProperties") @Nullable Map<String, List<String>> allProperties,
            @JsonProperty("properties") @Nullable Map<String, String> properties,
            @JsonProperty("hash") @Nullable String hash,
            @JsonProperty("committer") @Nullable String committer,
            @JsonProperty("commitTime") @Nullable Instant commitTime,
            @JsonProperty("parentCommitHashes") @Nullable List<String> parentCommitHashes,
            @JsonAnySetter Map<String, Object> unknown) {
        if (unknown != null && !unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    unknown.keySet().iterator().next() + ": unknown field; the metadata of a commit takes no others");
        }
        refuse("hash", hash);
        refuse("committer", committer);
        refuse("commitTime", commitTime);
        refuse(
                "parentCommitHashes",
                parentCommitHashes == null || parentCommitHashes.isEmpty() ? null : parentCommitHashes);
        return new CommitMetaInput(
                message,
                authors == null ? single(author) : authors,
                authorTime,
                allSignedOffBy == null ? single(signedOffBy) : allSignedOffBy,
                allProperties == null ? lists(properties) : allProperties);
    }

    private static void refuse(String field, @Nullable Object value) {
        if (value != null) {
            throw new IllegalArgumentException(field + ": is set by the server; leave it out");
        }
    }

    private static List<String> single(@Nullable String value) {
        return value == null ? List.of() : List.of(value);
    }

    private static Map<String, List<String>> lists(@Nullable Map<String, String> properties) {
        Map<String, List<String>> lists = new LinkedHashMap<>();
        if (properties != null) {
            properties.forEach((name, value) -> lists.put(name, single(value)));
        }
        return lists;
    }
}
