package org.anabranch.cli.stories;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.anabranch.cli.service.ServiceProcess;
import org.anabranch.database.PostgresServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The largest listings in a heap of 256 MB, with every setting at its default. */
@Timeout(300)
class SmallHeapIT {

    private static final int TABLES = 100_000;
    private static final int TABLES_PER_COMMIT = 10_000;
    private static final int LARGE_CONTENTS = 18;
    private static final int LARGE_BYTES = 15 << 20;
    private static final String HEAP = "-Xmx256m";

    /** Other than in the many short stories, here the better compiler pays. */
    private static final String BEST_CODE = "-XX:TieredStopAtLevel=4";

    @TempDir
    private Path folder;

    private static void commit(Http http, String message, ArrayNode operations) throws Exception {
        ObjectNode body = Http.JSON.createObjectNode();
        body.putObject("commitMeta").put("message", message);
        body.set("operations", operations);
        http.post(PlainCommit.path("main"), body);
    }

    private static void put(ArrayNode operations, String key, String location) {
        ObjectNode put = operations.addObject().put("type", "PUT");
        put.putObject("key").putArray("elements").add(key);
        put.putObject("content")
                .put("type", "ICEBERG_TABLE")
                .put("metadataLocation", location)
                .put("snapshotId", 1)
                .put("schemaId", 0)
                .put("specId", 0)
                .put("sortOrderId", 0);
    }

    /** Reads a whole listing of entries as a stream, and counts them. */
    private static int entries(ServiceProcess service, String query) throws Exception {
        return keys(service, "main/entries" + query);
    }

    /** Reads an answer as a stream, and counts its keys. */
    private static int keys(ServiceProcess service, String path) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            var response = client.send(
                    HttpRequest.newBuilder(URI.create(service.api() + "/trees/" + path))
                            .build(),
                    BodyHandlers.ofInputStream());
            assertThat(response.statusCode()).isEqualTo(200);
            int entries = 0;
            try (JsonParser json = Http.JSON.createParser(response.body())) {
                while (json.nextToken() != null) {
                    if (json.currentToken() == JsonToken.FIELD_NAME && "elements".equals(json.currentName())) {
                        entries++;
                    }
                }
            }
            return entries;
        }
    }

    private void fillAndList(ServiceProcess service) throws Exception {
        try (Http http = new Http(service.api())) {
            for (int first = 0; first < TABLES; first += TABLES_PER_COMMIT) {
                ArrayNode operations = Http.JSON.createArrayNode();
                for (int i = first; i < first + TABLES_PER_COMMIT; i++) {
                    put(operations, "table-%06d".formatted(i), "s3://lake/warehouse/table-" + i + "/metadata/v1.json");
                }
                commit(http, "bulk", operations);
            }
            for (int round = 0; round < 2; round++) {
                assertThat(entries(service, "?content=true")).isEqualTo(TABLES);
            }
            JsonNode before = http.get("/trees/main").path("reference");
            http.post("/trees?name=publish&type=BRANCH", before);
            for (int i = 0; i < LARGE_CONTENTS; i++) {
                ArrayNode operations = Http.JSON.createArrayNode();
                put(operations, "x-large-" + i, "l".repeat(LARGE_BYTES));
                commit(http, "large", operations);
            }
            assertThat(entries(service, "?content=true&min-key=x-large")).isEqualTo(LARGE_CONTENTS);
            assertThat(entries(service, "")).isEqualTo(TABLES + LARGE_CONTENTS);
            String keys = IntStream.range(0, LARGE_CONTENTS)
                    .mapToObj(i -> "key=x-large-" + i)
                    .collect(Collectors.joining("&"));
            assertThat(keys(service, "main/contents?" + keys)).isEqualTo(LARGE_CONTENTS);
            ObjectNode merge = Http.JSON.createObjectNode().put("fromRefName", "main");
            merge.put(
                    "fromHash",
                    http.get("/trees/main").path("reference").path("hash").asText());
            http.post("/trees/publish@" + before.path("hash").asText() + "/history/merge", merge);
            assertThat(keys(service, "publish/history?fetch=ALL&max-records=1"))
                    .as("all of them in one commit")
                    .isEqualTo(LARGE_CONTENTS);
        }
        assertThat(Files.readString(folder.resolve("service.log"))).doesNotContain("OutOfMemoryError");
    }

    @Test
    void onTheEmbeddedStore() throws Exception {
        RunningService.assumeNoneIsGiven();
        try (ServiceProcess service = ServiceProcess.start(folder, HEAP, BEST_CODE)) {
            fillAndList(service);
        }
    }

    @Test
    void onPostgresql() throws Exception {
        RunningService.assumeNoneIsGiven();
        PostgresServer server = PostgresServer.shared();
        try (ServiceProcess service = ServiceProcess.startOn(
                List.of("--store", "postgresql", "--url", server.emptyUrl(), "--user", server.user()),
                folder,
                HEAP,
                BEST_CODE)) {
            fillAndList(service);
        }
    }
}
