package org.anabranch.cli.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.anabranch.history.Answer.Done;
import org.anabranch.history.Call;
import org.anabranch.history.HistoryChecker;
import org.anabranch.history.Recorded;
import org.anabranch.history.Request;

/** Reads from a service all commits that a history speaks of or ends at, with everything before them. For one thread. */
final class RepositoryReader {

    private static final int PAGE = 250;

    private final RecordingClient client;
    private final URI api;
    private final Map<String, Recorded> commits = new HashMap<>();

    private RepositoryReader(RecordingClient client, URI api) {
        this.client = client;
        this.api = api;
    }

    /** The commits of all hashes that calls name. */
    static Collection<Recorded> commits(RecordingClient client, URI api, Collection<Call> calls) {
        RepositoryReader reader = new RepositoryReader(client, api);
        Set<String> heads = new HashSet<>();
        for (Call call : calls) {
            switch (call.request()) {
                case Request.Create create -> heads.add(create.target());
                case Request.Assign assign -> heads.add(assign.target());
                case Request.Append append -> {}
                case Request.Delete delete -> {}
                case Request.Read read -> {}
            }
            if (call.answer() instanceof Done(var head)) {
                heads.add(head);
            }
        }
        heads.forEach(reader::readLine);
        return reader.commits.values();
    }

    /** Reads a first-parent line from its head back to what is known. */
    private void readLine(String head) {
        String token = "";
        boolean hasMore = !isKnown(head);
        while (hasMore) {
            JsonNode page = client.get(api, "/trees/@" + head + "/history?fetch=ALL&max-records=" + PAGE + token);
            for (JsonNode entry : page.path("logEntries")) {
                String id = entry.at("/commitMeta/hash").textValue();
                if (isKnown(id)) {
                    return;
                }
                Set<String> keys = new HashSet<>();
                entry.path("operations")
                        .forEach(operation -> keys.add(String.join(".", texts(operation.at("/key/elements")))));
                commits.put(
                        id,
                        new Recorded(
                                id,
                                entry.path("parentCommitHash").textValue(),
                                entry.at("/commitMeta/message").textValue(),
                                keys));
            }
            hasMore = page.path("hasMore").booleanValue();
            token = "&page-token=" + URLEncoder.encode(page.path("token").asText(), StandardCharsets.UTF_8);
        }
    }

    private boolean isKnown(String id) {
        return id.equals(HistoryChecker.NOTHING) || commits.containsKey(id);
    }

    private static Set<String> texts(JsonNode array) {
        Set<String> texts = new LinkedHashSet<>();
        array.forEach(each -> texts.add(each.textValue()));
        return texts;
    }
}
