package org.anabranch.versioning.transfer.peer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.anabranch.api.client.ApiClient;
import org.anabranch.api.client.ApiFailure;
import org.anabranch.api.client.LogIterator;
import org.anabranch.api.v2.ApiJson;
import org.anabranch.api.v2.GarbageCollectorConfig;
import org.anabranch.api.v2.RepositoryConfig;
import org.anabranch.model.Checks;
import org.anabranch.model.ContentKey;
import org.anabranch.model.HashSpec;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.ReferenceName;
import org.anabranch.versioning.transfer.peer.PeerCommit.PeerContent;

/** Another server of API v2, read by the hashes of its commits. For one thread. */
final class PeerServer {

    /** What a page holds at most; servers may give less. */
    private static final String PAGE = "1000";

    /** A branch or tag there. */
    record PeerReference(ReferenceKind kind, String name, String hash) {}

    private final ApiClient client;
    private final ObjectMapper json = ApiJson.newMapper();
    private final String defaultBranch;
    private final String noAncestor;

    /** Asks who the server is. */
    PeerServer(ApiClient client) {
        this.client = client;
        JsonNode config = client.get("config", Map.of());
        this.defaultBranch = config.path("defaultBranch").asText();
        this.noAncestor = config.path("noAncestorHash").asText();
        if (defaultBranch.isEmpty() || !HashSpec.isHash(noAncestor)) {
            throw new PeerException(
                    "The server does not say what its default branch is, or which hash stands for no ancestor: is it a server of"
                            + " API v2?",
                    null);
        }
    }

    String defaultBranch() {
        return defaultBranch;
    }

    /** The hash that first commits have as parent. */
    String noAncestor() {
        return noAncestor;
    }

    ObjectMapper json() {
        return json;
    }

    /**
     * All branches and tags as they are now, the default branch first.
     *
     * @throws PeerException if the server does not show the default branch, without which no repository is whole, or shows a name twice
     */
    List<PeerReference> references() {
        List<PeerReference> references = new ArrayList<>();
        Set<String> names = new HashSet<>();
        client.list("trees", Map.of("max-records", PAGE), "references").forEachRemaining(node -> {
            PeerReference reference = reference(node);
            if (!names.add(reference.name())) {
                throw new PeerException(
                        "The server shows reference '" + reference.name()
                                + "' twice: was it changed meanwhile? Start the import again",
                        null);
            }
            references.add(reference.name().equals(defaultBranch) ? 0 : references.size(), reference);
        });
        boolean hasDefaultBranch = !references.isEmpty()
                && references.getFirst().name().equals(defaultBranch)
                && references.getFirst().kind() == ReferenceKind.BRANCH;
        if (!hasDefaultBranch) {
            throw new PeerException(
                    "The server does not show its default branch '" + defaultBranch
                            + "': do the credentials allow to read everything?",
                    null);
        }
        return references;
    }

    private static PeerReference reference(JsonNode node) {
        String name = node.path("name").asText();
        try {
            new ReferenceName(name);
            return new PeerReference(
                    kind(node.path("type").asText()),
                    name,
                    PeerCommit.requireHash(node.path("hash").asText()));
        } catch (IllegalArgumentException e) {
            throw new PeerException(
                    "Reference '" + name + "' cannot be kept here: " + e.getMessage()
                            + ". Rename or delete it there first",
                    e);
        }
    }

    private static ReferenceKind kind(String type) {
        return switch (type) {
            case "BRANCH" -> ReferenceKind.BRANCH;
            case "TAG" -> ReferenceKind.TAG;
            default -> throw new IllegalArgumentException("its type is '" + type + "', and BRANCH and TAG are known");
        };
    }

    /** The line of a commit, itself first. Entries have their operations, also where the server leaves them out. */
    Iterator<JsonNode> log(String hash) {
        Iterator<JsonNode> entries = new LogIterator(client, hash, noAncestor);
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return entries.hasNext();
            }

            @Override
            public JsonNode next() {
                JsonNode next = entries.next();
                if (!(next instanceof ObjectNode entry)) {
                    throw new PeerException("The log of commit " + hash + " has an entry that is no object", null);
                }
                return entry.path("operations").isArray() ? entry : withOperations(entry);
            }
        };
    }

    /** Servers write no operations for a commit that has none, but also if they cannot show them: the trees tell. */
    private ObjectNode withOperations(ObjectNode entry) {
        String from = entry.path("parentCommitHash").asText(noAncestor);
        String to = entry.path("commitMeta").path("hash").asText();
        ArrayNode operations = entry.putArray("operations");
        client.list("trees/" + detached(from) + "/diff/" + detached(to), Map.of("max-records", PAGE), "diffs")
                .forEachRemaining(diff -> {
                    ObjectNode operation = operations.addObject();
                    boolean isPut = diff.path("to").isObject();
                    operation.put("type", isPut ? "PUT" : "DELETE").set("key", diff.path("key"));
                    if (isPut) {
                        operation.set("content", diff.path("to"));
                    }
                });
        return entry;
    }

    /** All that a commit holds, page by page, in the order of the server. */
    void entries(String hash, BiConsumer<ContentKey, PeerContent> each) {
        client.list("trees/" + detached(hash) + "/entries", Map.of("content", "true", "max-records", PAGE), "entries")
                .forEachRemaining(entry -> {
                    try {
                        each.accept(
                                Checks.required("name", json.treeToValue(entry.path("name"), ContentKey.class)),
                                PeerContent.read(entry.path("content"), json));
                    } catch (JsonProcessingException | IllegalArgumentException e) {
                        throw new PeerException(
                                "Commit " + hash + " has an entry that cannot be understood: " + e.getMessage(), e);
                    }
                });
    }

    /** The settings that are kept there and known here, as JSON by type. */
    Map<String, String> configs() {
        Map<String, String> configs = new TreeMap<>();
        try {
            for (JsonNode config : client.get("config/repository", Map.of("type", GarbageCollectorConfig.TYPE))
                    .path("configs")) {
                RepositoryConfig known = Checks.required("configs", json.treeToValue(config, RepositoryConfig.class));
                configs.put(
                        GarbageCollectorConfig.TYPE,
                        json.writerFor(RepositoryConfig.class).writeValueAsString(known));
            }
            return configs;
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw new PeerException("The server's settings cannot be understood: " + e.getMessage(), e);
        } catch (ApiFailure e) {
            // Servers before these settings have no such page.
            if (e.status() == 404 || e.status() == 400) {
                return Map.of();
            }
            throw e;
        }
    }

    private static String detached(String hash) {
        return ApiClient.segment("@" + hash);
    }
}
