package org.anabranch.api.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * The entries of a commit's log with their operations, youngest first, along first parents. Reads pages that grow, because most
 * lines join one that is known after a few commits, and shrink where commits are large, since a page is held in memory. Every
 * page is asked for by a hash, so it does not matter when references move or go meanwhile. Every step may throw {@link
 * ApiFailure}. For one thread.
 */
public final class LogIterator implements Iterator<JsonNode> {

    private static final int FIRST_PAGE = 16;
    private static final int PAGE = 250;
    private static final long LARGEST_PAGE_BYTES = 16L << 20;

    private final ApiClient client;
    private final String noAncestor;
    private String next;
    private int size = FIRST_PAGE;
    private Iterator<JsonNode> page = Collections.emptyIterator();

    /**
     * @param from hash of the youngest commit
     * @param noAncestor the hash that first commits have as parent
     */
    public LogIterator(ApiClient client, String from, String noAncestor) {
        this.client = client;
        this.noAncestor = noAncestor;
        this.next = from;
    }

    @Override
    public boolean hasNext() {
        if (!page.hasNext() && !next.equals(noAncestor)) {
            page = page(size);
            size = PAGE;
            if (!page.hasNext()) {
                next = noAncestor;
            }
        }
        return page.hasNext();
    }

    @Override
    public JsonNode next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        JsonNode entry = page.next();
        next = entry.path("parentCommitHash").asText(noAncestor);
        return entry;
    }

    private Iterator<JsonNode> page(int commits) {
        String path = "trees/" + ApiClient.segment("@" + next) + "/history";
        Map<String, String> query = Map.of("fetch", "ALL", "max-records", Integer.toString(commits));
        if (commits == 1) {
            return entries(path, client.get(path, query));
        }
        Optional<JsonNode> answer = client.getUpTo(LARGEST_PAGE_BYTES, path, query);
        return answer.isPresent() ? entries(path, answer.get()) : page(Math.max(1, commits / 4));
    }

    private Iterator<JsonNode> entries(String path, JsonNode answer) {
        JsonNode entries = answer.path("logEntries");
        if (!entries.isArray()) {
            throw client.unusable(path, "'logEntries' is missing");
        }
        return entries.elements();
    }
}
