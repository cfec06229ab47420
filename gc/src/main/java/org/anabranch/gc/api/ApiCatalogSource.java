package org.anabranch.gc.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.anabranch.api.client.ApiClient;
import org.anabranch.api.client.ApiFailure;
import org.anabranch.api.client.LogIterator;
import org.anabranch.api.v2.ApiJson;
import org.anabranch.api.v2.GarbageCollectorConfig;
import org.anabranch.api.v2.RepositoryConfig;
import org.anabranch.gc.CatalogEntry;
import org.anabranch.gc.CatalogSource;
import org.anabranch.gc.CatalogUnreadableException;
import org.anabranch.gc.LoggedCommit;
import org.anabranch.gc.ReadAccess;
import org.anabranch.gc.ReferenceHead;
import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;
import org.jspecify.annotations.Nullable;

/**
 * Reads the catalog from a server of API v2. Commits are read by their hashes alone, so it does not matter when a reference moves or
 * goes meanwhile.
 */
public final class ApiCatalogSource implements CatalogSource {

    /** What a page holds at most; servers may give less. */
    private static final String PAGE = "1000";

    private final ApiClient client;
    private volatile @Nullable String defaultBranch;

    public ApiCatalogSource(ApiClient client) {
        this.client = client;
    }

    /** Made of what a repository gets when it is created and keeps. */
    @Override
    public String repository() {
        String created = config().path("repositoryCreationTimestamp").asText();
        if (created.isEmpty()) {
            throw new CatalogUnreadableException(
                    "The server does not say when its repository was created, by which it is recognised", null);
        }
        return "created at " + created;
    }

    /** The collector's settings that the repository itself keeps; empty when it has none. */
    public Optional<GarbageCollectorConfig> collectorConfig() {
        JsonNode configs = asked(() -> client.get("config/repository", Map.of("type", GarbageCollectorConfig.TYPE)))
                .path("configs");
        if (configs.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    (GarbageCollectorConfig) ApiJson.newMapper().treeToValue(configs.get(0), RepositoryConfig.class));
        } catch (JsonProcessingException e) {
            throw new CatalogUnreadableException(
                    "The repository's settings of the collector cannot be understood: " + e.getOriginalMessage(), e);
        }
    }

    @Override
    public ReadAccess readAccess() {
        try {
            JsonNode unfiltered = client.getExtension("access").path("unfiltered");
            return !unfiltered.isBoolean()
                    ? ReadAccess.UNKNOWN
                    : unfiltered.booleanValue() ? ReadAccess.UNFILTERED : ReadAccess.FILTERED;
        } catch (ApiFailure e) {
            // A server that does not know the question: it has no such page, or one for people.
            if (e.status() == 404 || e.status() == 405 || e.status() == 200) {
                return ReadAccess.UNKNOWN;
            }
            throw unreadable(e);
        }
    }

    @Override
    public List<ReferenceHead> references() {
        List<ReferenceHead> references = new ArrayList<>();
        list("trees", Map.of("max-records", PAGE), "references", ApiCatalogSource::reference)
                .forEachRemaining(references::add);
        String first = defaultBranch();
        references.sort(Comparator.comparing(each -> !each.name().equals(first)));
        return references;
    }

    @Override
    public Iterator<LoggedCommit> log(CommitId from) {
        Iterator<JsonNode> entries = new LogIterator(client, from.toString(), CommitId.NO_ANCESTOR.toString());
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return asked(entries::hasNext);
            }

            @Override
            public LoggedCommit next() {
                JsonNode entry = asked(entries::next);
                return understood("the log of commit " + from, () -> commit(entry));
            }
        };
    }

    @Override
    public Iterator<CatalogEntry> entries(CommitId at) {
        return list(
                "trees/" + detached(at) + "/entries",
                Map.of("content", "true", "max-records", PAGE),
                "entries",
                entry -> Contents.entry(entry.path("name"), entry.path("content")));
    }

    @Override
    public Iterator<CatalogEntry> changes(CommitId from, CommitId to) {
        Iterator<Optional<CatalogEntry>> diffs = list(
                "trees/" + detached(from) + "/diff/" + detached(to),
                Map.of("max-records", PAGE),
                "diffs",
                diff -> diff.path("to").isObject()
                        ? Optional.of(Contents.entry(diff.path("key"), diff.path("to")))
                        : Optional.empty());
        return new Present<>(diffs);
    }

    private static String detached(CommitId commit) {
        return ApiClient.segment("@" + commit);
    }

    private static ReferenceHead reference(JsonNode node) {
        return new ReferenceHead(
                ReferenceKind.valueOf(Contents.text(node, "type")),
                Contents.text(node, "name"),
                CommitId.parse(Contents.text(node, "hash")));
    }

    private LoggedCommit commit(JsonNode node) {
        JsonNode meta = node.path("commitMeta");
        CommitId id = CommitId.parse(Contents.text(meta, "hash"));
        CommitId parent = CommitId.parse(Contents.text(node, "parentCommitHash"));
        return new LoggedCommit(id, parent, Instant.parse(Contents.text(meta, "commitTime")), puts(node, parent, id));
    }

    /**
     * Servers write no operations for a commit that stores none, but would do the same if they did not know how to show them: then the
     * trees tell.
     */
    private List<CatalogEntry> puts(JsonNode node, CommitId parent, CommitId id) {
        List<CatalogEntry> puts = new ArrayList<>();
        if (node.path("operations").isMissingNode() || node.path("operations").isNull()) {
            changes(parent, id).forEachRemaining(puts::add);
            return puts;
        }
        for (JsonNode operation : Contents.list(node, "operations")) {
            if (Contents.text(operation, "type").equals("PUT")) {
                puts.add(Contents.entry(operation.path("key"), operation.path("content")));
            }
        }
        return puts;
    }

    /** A listing, of which neither a missing page nor an item that cannot be understood goes unnoticed. */
    private <T> Iterator<T> list(String path, Map<String, String> query, String items, Function<JsonNode, T> read) {
        Iterator<JsonNode> nodes = asked(() -> client.list(path, query, items));
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return asked(nodes::hasNext);
            }

            @Override
            public T next() {
                JsonNode node = asked(nodes::next);
                return understood(path, () -> read.apply(node));
            }
        };
    }

    private static <T> T understood(String path, Supplier<T> reading) {
        try {
            return reading.get();
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new CatalogUnreadableException(
                    "The answer to " + path + " cannot be understood: " + e.getMessage(), e);
        }
    }

    private String defaultBranch() {
        String known = defaultBranch;
        if (known == null) {
            known = config().path("defaultBranch").asText();
            defaultBranch = known;
        }
        return known;
    }

    private JsonNode config() {
        return asked(() -> client.get("config", Map.of()));
    }

    private static <T> T asked(Supplier<T> question) {
        try {
            return question.get();
        } catch (ApiFailure e) {
            throw unreadable(e);
        }
    }

    private static CatalogUnreadableException unreadable(ApiFailure e) {
        return new CatalogUnreadableException(e.getMessage(), e);
    }

    /** Those that are there. */
    private static final class Present<T> implements Iterator<T> {

        private final Iterator<Optional<T>> all;
        private Optional<T> next = Optional.empty();

        Present(Iterator<Optional<T>> all) {
            this.all = all;
        }

        @Override
        public boolean hasNext() {
            while (next.isEmpty() && all.hasNext()) {
                next = all.next();
            }
            return next.isPresent();
        }

        @Override
        public T next() {
            T value = hasNext() ? next.orElseThrow() : all.next().orElseThrow();
            next = Optional.empty();
            return value;
        }
    }
}
