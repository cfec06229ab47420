package org.anabranch.versioning.transfer.peer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.anabranch.api.v2.ApiJson;
import org.anabranch.model.ContentKey;
import org.jspecify.annotations.Nullable;

/**
 * A server of API v2 in a few pages: it stores whatever it is given, judges nothing, and answers in pages of three. For one client.
 */
public final class FakePeer implements AutoCloseable {

    public static final String NO_ANCESTOR = "0".repeat(64);

    private static final int PAGE = 3;

    /** A commit as it is shown, and what keys hold after it. */
    record PeerState(String hash, List<String> parents, ObjectNode entry, SortedMap<ContentKey, ObjectNode> state) {}

    private final HttpServer server;
    private final ObjectMapper json = ApiJson.newMapper();
    private final Map<String, PeerState> commits = new LinkedHashMap<>();
    private final Map<String, String> references = new LinkedHashMap<>();
    private final Set<String> forgotten = new HashSet<>();
    private int failAfter = Integer.MAX_VALUE;
    private int requests;

    public FakePeer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v2/", this::answer);
        server.start();
    }

    public URI api() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/api/v2");
    }

    /** From the n-th request on it is out of order; 0 takes that back. */
    void failAfter(int more) {
        failAfter = more == 0 ? Integer.MAX_VALUE : requests + more;
    }

    /** Answers 404 for a commit from now on. */
    void forget(String hash) {
        forgotten.add(hash);
    }

    /** @param kindAndName such as {@code BRANCH main} */
    public void reference(String kindAndName, String hash) {
        references.put(kindAndName, hash);
    }

    public void forgetReference(String kindAndName) {
        references.remove(kindAndName);
    }

    Map<String, String> references() {
        return references;
    }

    PeerState commit(String hash) {
        return commits.get(hash);
    }

    public ObjectNode content(String type, String id, String location) {
        ObjectNode content = json.createObjectNode().put("type", type).put("id", id);
        return switch (type) {
            case "NAMESPACE" -> {
                content.putArray("elements").add("n");
                yield content;
            }
            default ->
                content.put("metadataLocation", location)
                        .put("snapshotId", 7)
                        .put("schemaId", 1)
                        .put("specId", 2)
                        .put("sortOrderId", 3);
        };
    }

    /**
     * Makes a commit.
     *
     * @param time as ISO-8601
     * @param operations per key the content to put, or null to delete
     * @return its hash
     */
    public String commit(
            String message, String time, Map<ContentKey, @Nullable ObjectNode> operations, String... parents) {
        String hash = String.format("%064x", 1_000_003L * (commits.size() + 1));
        ObjectNode entry = json.createObjectNode();
        ObjectNode meta = entry.putObject("commitMeta")
                .put("hash", hash)
                .put("committer", "cara")
                .put("message", message)
                .put("commitTime", time)
                .put("authorTime", "2020-02-02T02:02:02.123456789Z");
        meta.putArray("authors").add("ann").add("bob");
        meta.putArray("allSignedOffBy").add("sam");
        meta.putObject("allProperties").putArray("ticket").add("1").add("2");
        ArrayNode all = meta.putArray("parentCommitHashes");
        Arrays.asList(parents).forEach(all::add);
        entry.put("parentCommitHash", parents[0]);
        SortedMap<ContentKey, ObjectNode> state = parents[0].equals(NO_ANCESTOR)
                ? new TreeMap<>()
                : new TreeMap<>(commits.get(parents[0]).state());
        ArrayNode shown = entry.putArray("operations");
        operations.forEach((key, content) -> {
            ObjectNode operation = shown.addObject().put("type", content == null ? "DELETE" : "PUT");
            operation.set("key", json.valueToTree(key));
            if (content == null) {
                state.remove(key);
            } else {
                operation.set("content", content);
                operation.putNull("documentation");
                state.put(key, content);
            }
        });
        commits.put(hash, new PeerState(hash, List.of(parents), entry, state));
        return hash;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath().substring("/api/v2/".length());
            String query = String.valueOf(exchange.getRequestURI().getQuery());
            ObjectNode body = ++requests > failAfter ? null : body(path, query);
            byte[] bytes = json.writeValueAsBytes(body == null ? Map.of("message", "not there") : body);
            int missing = requests > failAfter ? 500 : 404;
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(body == null ? missing : 200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private @Nullable ObjectNode body(String path, String query) throws JsonProcessingException {
        String[] parts = path.split("/");
        if (path.equals("config")) {
            return json.createObjectNode().put("defaultBranch", "main").put("noAncestorHash", NO_ANCESTOR);
        }
        if (path.equals("config/repository")) {
            ObjectNode body = json.createObjectNode();
            body.putArray("configs")
                    .add(
                            json.readTree(
                                    "{\"type\":\"GARBAGE_COLLECTOR\",\"defaultCutoffPolicy\":\"P10D\",\"perRefCutoffPolicies\":[]}"));
            return body;
        }
        if (path.equals("trees")) {
            return page(
                    "references",
                    query,
                    references.entrySet().stream()
                            .map(reference -> json.createObjectNode()
                                    .put("type", reference.getKey().split(" ")[0])
                                    .put("name", reference.getKey().split(" ")[1])
                                    .put("hash", reference.getValue()))
                            .toList());
        }
        PeerState commit = commits.get(parts[1].substring(1));
        if (commit == null ? !parts[1].equals("@" + NO_ANCESTOR) : forgotten.contains(commit.hash())) {
            return null;
        }
        return switch (parts[2]) {
            case "entries" -> page("entries", query, entries(commit));
            case "history" -> page("logEntries", query, log(commit));
            default -> null;
        };
    }

    private List<ObjectNode> entries(@Nullable PeerState commit) {
        return commit == null
                ? List.of()
                : commit.state().entrySet().stream()
                        .map(entry -> {
                            ObjectNode node = json.createObjectNode()
                                    .put("type", entry.getValue().get("type").asText())
                                    .put("contentId", entry.getValue().get("id").asText());
                            node.set("name", json.valueToTree(entry.getKey()));
                            node.set("content", entry.getValue());
                            return node;
                        })
                        .toList();
    }

    private List<ObjectNode> log(@Nullable PeerState from) {
        List<ObjectNode> log = new ArrayList<>();
        for (PeerState at = from; at != null; at = commits.get(at.parents().getFirst())) {
            log.add(at.entry());
        }
        return log;
    }

    private ObjectNode page(String name, String query, List<ObjectNode> all) {
        int from = 0;
        for (String parameter : query.split("&")) {
            from = parameter.startsWith("page-token=")
                    ? Integer.parseInt(parameter.substring("page-token=".length()))
                    : from;
        }
        int until = Math.min(all.size(), from + PAGE);
        ObjectNode body = json.createObjectNode();
        body.putArray(name).addAll(all.subList(from, until));
        return body.put("hasMore", until < all.size()).put("token", until < all.size() ? "" + until : null);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
