package org.anabranch.versioning.transfer.peer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.anabranch.model.Checks;
import org.anabranch.model.CommitMeta;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.model.HashSpec;
import org.jspecify.annotations.Nullable;

/**
 * A commit as another server shows it.
 *
 * @param operations per key the content that was put, or empty for a deleted key
 */
record PeerCommit(
        String hash, Instant createdAt, CommitMeta meta, SortedMap<ContentKey, Optional<PeerContent>> operations) {

    /**
     * A content whose id may be none here.
     *
     * @param id as it stands there
     * @param content without it
     */
    record PeerContent(String id, Content content) {

        static PeerContent read(JsonNode node, ObjectMapper json) throws JsonProcessingException {
            if (!node.isObject() || !node.path("id").isTextual()) {
                throw new IllegalArgumentException("there is a content without an id");
            }
            ObjectNode withoutId = node.deepCopy();
            withoutId.remove("id");
            return new PeerContent(node.path("id").asText(), json.treeToValue(withoutId, Content.class));
        }
    }

    static String hash(JsonNode entry) {
        return requireHash(entry.path("commitMeta").path("hash").asText());
    }

    /** What stands for a commit there ends up in addresses, files and messages here. */
    static String requireHash(String text) {
        if (!HashSpec.isHash(text)) {
            throw new PeerException("The server names a commit by something that is no hash", null);
        }
        return text;
    }

    /** Of the hashes of its parents, first the one whose line it extends, then merge sources. */
    static List<String> parents(JsonNode entry, String noAncestor) {
        String first = requireHash(entry.path("parentCommitHash").asText(noAncestor));
        List<String> parents = new ArrayList<>(List.of(first));
        List<String> all = new ArrayList<>();
        entry.path("commitMeta").path("parentCommitHashes").forEach(node -> all.add(requireHash(node.asText())));
        all.stream().skip(1).filter(parent -> !parent.equals(noAncestor)).forEach(parents::add);
        return parents;
    }

    /** @throws PeerException if there is something in it that cannot be kept here */
    static PeerCommit read(JsonNode entry, ObjectMapper json) {
        String hash = hash(entry);
        try {
            JsonNode node = entry.path("commitMeta");
            Meta given = json.treeToValue(node, Meta.class);
            return new PeerCommit(
                    hash, Checks.required("commitTime", given.commitTime()), given.meta(), operations(entry, json));
        } catch (JsonProcessingException e) {
            throw unusable(hash, e.getOriginalMessage(), e);
        } catch (IllegalArgumentException e) {
            throw unusable(hash, e.getMessage(), e);
        }
    }

    private static PeerException unusable(String hash, String reason, Exception cause) {
        return new PeerException("Commit " + hash + " cannot be kept here: " + reason, cause);
    }

    private static SortedMap<ContentKey, Optional<PeerContent>> operations(JsonNode entry, ObjectMapper json)
            throws JsonProcessingException {
        SortedMap<ContentKey, Optional<PeerContent>> operations = new TreeMap<>();
        for (JsonNode operation : entry.path("operations")) {
            ContentKey key = Checks.required("key", json.treeToValue(operation.path("key"), ContentKey.class));
            switch (operation.path("type").asText()) {
                case "PUT" -> operations.put(key, Optional.of(PeerContent.read(operation.path("content"), json)));
                // A key that is deleted and put in one commit is replaced.
                case "DELETE" -> operations.putIfAbsent(key, Optional.empty());
                default ->
                    throw new IllegalArgumentException("it has an operation of type '"
                            + operation.path("type").asText() + "'");
            }
        }
        return operations;
    }

    /** The fields that are read; those that may be missing are null then. */
    private record Meta(
            @Nullable String message,
            @Nullable String committer,
            @Nullable List<String> authors,
            @Nullable Instant authorTime,
            @Nullable Instant commitTime,
            @Nullable List<String> allSignedOffBy,
            @Nullable Map<String, List<String>> allProperties) {

        private CommitMeta meta() {
            String by = Objects.requireNonNullElse(committer, "");
            List<String> named = Checks.copied("authors", authors);
            Map<String, List<String>> properties = new HashMap<>();
            Objects.requireNonNullElse(allProperties, Map.<String, List<String>>of())
                    .forEach((name, values) -> properties.put(name, Checks.copied("allProperties", values)));
            return new CommitMeta(
                    Objects.requireNonNullElse(message, ""),
                    by,
                    named.isEmpty() ? List.of(by) : named,
                    authorTime == null ? Objects.requireNonNull(commitTime) : authorTime,
                    Checks.copied("allSignedOffBy", allSignedOffBy),
                    properties);
        }
    }
}
