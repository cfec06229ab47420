package org.anabranch.bench.workload;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.anabranch.bench.http.Answer;
import org.anabranch.bench.http.Connection;
import org.anabranch.bench.server.Product;

/** A running server and the catalog it holds. Safe from many threads; content ids do not change. */
public final class Target {

    private final Product product;
    private final int port;
    private final Catalog catalog;
    private final String[] contentIds;

    private Target(Product product, int port, Catalog catalog, String[] contentIds) {
        this.product = product;
        this.port = port;
        this.catalog = catalog;
        this.contentIds = contentIds;
    }

    /**
     * Takes a server whose {@code main} holds a catalog, and reads the content ids from it.
     *
     * @throws IllegalStateException it holds another one
     */
    public static Target holding(Product product, int port, Catalog catalog) {
        String[] ids = new String[catalog.tables()];
        try (Connection connection = new Connection(port)) {
            Answer answer = connection.get("/api/v2/trees/main/entries");
            int entries = readIds(answer, ids);
            if (entries != catalog.entries()) {
                throw new IllegalStateException(
                        product + " holds " + entries + " entries instead of " + catalog.entries());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Target(product, port, catalog, ids);
    }

    /** Takes a server that holds nothing. */
    public static Target empty(Product product, int port, Catalog catalog) {
        return new Target(product, port, catalog, new String[0]);
    }

    private static int readIds(Answer answer, String[] ids) throws IOException {
        int entries = 0;
        String name = "";
        try (JsonParser json = new JsonFactory().createParser(answer.buffer(), 0, answer.length())) {
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                if (token == JsonToken.VALUE_STRING && json.currentName() == null) {
                    name = json.getText();
                } else if (token == JsonToken.VALUE_STRING && "contentId".equals(json.currentName())) {
                    entries++;
                    Optional<Integer> table = Catalog.tableNamed(name);
                    if (table.isPresent()) {
                        ids[table.get()] = json.getText();
                    }
                }
            }
        }
        return entries;
    }

    Product product() {
        return product;
    }

    Catalog catalog() {
        return catalog;
    }

    Optional<String> contentId(int table) {
        return contentIds.length == 0 ? Optional.empty() : Optional.of(contentIds[table]);
    }

    Connection connect() {
        return new Connection(port);
    }
}
