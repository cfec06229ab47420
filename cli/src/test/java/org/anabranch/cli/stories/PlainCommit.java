package org.anabranch.cli.stories;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

/** Commits of one new table each, told apart by their message, without a client library between. */
final class PlainCommit {

    private static final String NO_ANCESTOR = "2e1cfa82b035c26cbbbdae632cea070514eb8b773f616aaeaf668e2f0be8f10d";

    private PlainCommit() {}

    /** The path of commits that expect nothing of a branch. */
    static String path(String branch) {
        return "/trees/" + branch + "@" + NO_ANCESTOR + "/history/commit";
    }

    /** The body of a commit whose message is also its table's key. */
    static String body(String message) {
        return body(message, message + ".json");
    }

    static String body(String message, String metadataLocation) {
        return """
                {"commitMeta": {"message": "%s"}, "operations": [{"type": "PUT", "key": {"elements": ["%s"]},
                 "content": {"type": "ICEBERG_TABLE", "metadataLocation": "%s",
                 "snapshotId": 1, "schemaId": 0, "specId": 0, "sortOrderId": 0}}]}""".formatted(message, message, metadataLocation);
    }

    static HttpResponse<String> send(Http http, String branch, String body) throws IOException, InterruptedException {
        HttpRequest request = http.request(path(branch))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        return http.send(request);
    }

    /** All messages of a branch's first-parent line, youngest first. */
    static List<String> messages(Http http, String branch) throws IOException, InterruptedException {
        List<String> messages = new ArrayList<>();
        String query = "";
        while (true) {
            JsonNode page = http.get("/trees/" + branch + "/history" + query);
            page.path("logEntries")
                    .forEach(entry -> messages.add(
                            entry.path("commitMeta").path("message").asText()));
            if (!page.path("hasMore").asBoolean()) {
                return messages;
            }
            query = "?page-token=" + page.path("token").asText();
        }
    }
}
