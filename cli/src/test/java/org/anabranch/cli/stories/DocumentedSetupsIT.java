package org.anabranch.cli.stories;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.anabranch.certificates.TestAuthority;
import org.anabranch.certificates.TestAuthority.Issued;
import org.anabranch.cli.service.ServiceProcess;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.projectnessie.client.NessieClientBuilder;
import org.projectnessie.client.api.NessieApiV2;
import org.projectnessie.model.Branch;
import org.projectnessie.model.CommitMeta;
import org.projectnessie.model.ContentKey;
import org.projectnessie.model.Operation.Put;

/** The three set-ups of docs/security.md, with the commands, properties and rules as they stand there; addresses and files aside. */
@Timeout(120)
class DocumentedSetupsIT {

    private static final String SECRET = "swordfish";
    private static final String PROVIDER = "https://idp.example/realms/lake";
    private static final String INDENTATION = "    ";
    private static final String FILES = "/etc/anabranch/";

    @TempDir
    private Path folder;

    private SSLContext tls;

    @BeforeEach
    void needsAServiceOfItsOwn() {
        RunningService.assumeNoneIsGiven();
    }

    /** The indented lines under a heading that lie together and begin with a text, without their indentation. */
    private static String block(String heading, String beginning) throws IOException {
        String document = Files.readString(Path.of(System.getProperty("anabranch.project"), "docs", "security.md"));
        String section = document.split("\n## " + heading + "\n", 2)[1].split("\n##? ", 2)[0];
        List<String> blocks = new ArrayList<>(List.of(""));
        for (String line : section.lines().toList()) {
            if (line.startsWith(INDENTATION)) {
                blocks.add(blocks.removeLast() + line.substring(INDENTATION.length()) + "\n");
            } else {
                blocks.add("");
            }
        }
        return blocks.stream()
                .filter(block -> block.startsWith(beginning))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no block '" + beginning + "' under '" + heading + "'"));
    }

    /** The words of a command of several lines. */
    private static List<String> words(String command) {
        return List.of(command.replace("\\\n", " ").trim().split("\\s+"));
    }

    private String adapted(String text, TokenProvider provider) {
        return text.replace(PROVIDER, provider.issuer().toString())
                .replace(FILES, folder + "/")
                .replace("...", SECRET);
    }

    /** Starts the documented service, with a certificate of an authority that {@link #tls} believes. */
    private ServiceProcess serve(String heading, TokenProvider provider) throws IOException {
        TestAuthority authority = TestAuthority.create("authority");
        Issued certificate = authority.issue("catalog");
        certificate.writeCertificate(folder.resolve("tls.crt"));
        certificate.writeKey(folder.resolve("tls.key"));
        tls = authority.client(null);
        return ServiceProcess.start(
                folder,
                words(adapted(block(heading, "./anabranch serve"), provider)).stream()
                        .filter(word -> word.startsWith("-D"))
                        .toArray(String[]::new));
    }

    @Test
    void openOnALaptop() throws Exception {
        assertThat(words(block("Open on a laptop", "./anabranch serve"))).containsExactly("./anabranch", "serve");
        try (ServiceProcess service = ServiceProcess.start(folder);
                Http http = new Http(service.api())) {
            assertThat(http.get("/trees/main/entries").path("entries")).isEmpty();

            List<String> said = service.output();
            for (String line : block("Open on a laptop", "Nobody is asked").split("\n")) {
                String beginning = line.replaceFirst("19120.*", "").replaceFirst("\\.\\.\\.$", "");
                assertThat(said).as(line).anyMatch(each -> each.contains(beginning));
            }
        }
    }

    @Test
    void oneTeamBehindOidc() throws Exception {
        String heading = "One team behind OIDC";
        try (TokenProvider provider = new TokenProvider(SECRET, Map.of("etl", List.of()));
                ServiceProcess service = serve(heading, provider)) {
            List<String> request = words(adapted(block(heading, "TOKEN="), provider));
            String form = request.stream()
                    .filter(word -> word.matches("(grant_type|client_id|client_secret)=.*"))
                    .collect(Collectors.joining("&"));
            String token = token(URI.create(request.get(2)), form);
            try (Http http = new Http(service.api(), tls)) {
                HttpResponse<String> answer = http.send(http.request("/config")
                        .setHeader("Authorization", "Bearer " + token)
                        .build());
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.headers().firstValue("Strict-Transport-Security"))
                        .hasValue("max-age=31536000");
                assertThat(http.send(http.request("/config").build()).statusCode())
                        .isEqualTo(401);
            }
            assertThat(committerByNessiesClient(service, adapted(block(heading, "nessie."), provider)))
                    .isEqualTo("service-account-etl");
        }
    }

    private static String token(URI address, String form) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(address)
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .POST(BodyPublishers.ofString(form))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            return Http.JSON.readTree(answer.body()).get("access_token").asText();
        }
    }

    /** Commits with Nessie's client as the properties say, and returns who the commit says it was. */
    private String committerByNessiesClient(ServiceProcess service, String properties) throws Exception {
        Map<String, String> options = properties
                .lines()
                .map(line -> line.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
        try (NessieApiV2 api = NessieClientBuilder.createClientBuilderFromSystemSettings()
                .fromConfig(options::get)
                .withUri(service.api())
                .withSSLContext(tls)
                .build(NessieApiV2.class)) {
            Branch main = api.getDefaultBranch();
            api.commitMultipleOperations()
                    .branch(main)
                    .commitMeta(CommitMeta.fromMessage("as a job"))
                    .operations(List.of(Put.of(ContentKey.of("orders"), CatalogClient.table(1))))
                    .commit();
            return api.getCommitLog().refName("main").stream()
                    .findFirst()
                    .orElseThrow()
                    .getCommitMeta()
                    .getCommitter();
        }
    }

    @Test
    void severalTeamsByBranchAndNamespace() throws Exception {
        String heading = "Several teams by branch and namespace";
        Files.writeString(folder.resolve("rules.yaml"), block(heading, "rules:"));
        Map<String, List<String>> roles = Map.of(
                "ada", List.of("analysts"),
                "etl", List.of("loads"),
                "publisher", List.of("release"),
                "cfo", List.of("finance"),
                "ops", List.of("platform"),
                "stranger", List.of("visitors"));
        try (TokenProvider provider = new TokenProvider(SECRET, roles);
                ServiceProcess service = serve(heading, provider);
                Http http = new Http(service.api(), tls)) {
            Team ada = new Team(http, provider.token("ada"));
            Team etl = new Team(http, provider.token("etl"));
            Team publisher = new Team(http, provider.token("publisher"));
            Team cfo = new Team(http, provider.token("cfo"));
            Team ops = new Team(http, provider.token("ops"));
            Team stranger = new Team(http, provider.token("stranger"));
            assertThat(ops.put("main", namespace("sales"), namespace("finance")))
                    .isEqualTo(200);
            assertThat(ops.put("main", table("sales.orders"), table("finance.ledger")))
                    .isEqualTo(200);

            assertThat(ada.keys("main")).containsExactly("sales", "sales.orders");
            assertThat(ada.create("sandbox/ada")).isEqualTo(200);
            assertThat(ada.keys("sandbox/ada")).containsExactly("sales", "sales.orders");
            assertThat(ada.put("sandbox/ada", table("sales.mine"))).isEqualTo(200);
            assertThat(ada.put("sandbox/ada", table("finance.mine"))).isEqualTo(403);
            assertThat(ada.put("main", table("sales.mine"))).isEqualTo(403);
            assertThat(ada.create("load/ada")).isEqualTo(403);

            assertThat(etl.create("load/tonight")).isEqualTo(200);
            assertThat(etl.put("load/tonight", table("sales.new"))).isEqualTo(200);
            assertThat(etl.put("main", table("sales.new"))).isEqualTo(403);
            assertThat(etl.merge("load/tonight")).isEqualTo(403);

            assertThat(publisher.put("main", table("sales.new"))).isEqualTo(403);
            assertThat(publisher.merge("sandbox/ada")).isEqualTo(404);
            assertThat(publisher.merge("load/tonight")).isEqualTo(200);
            assertThat(ada.keys("main")).containsExactly("sales", "sales.new", "sales.orders");
            assertThat(etl.create("load/other")).isEqualTo(200);
            assertThat(etl.put("load/other", table("elsewhere"))).isEqualTo(200);
            assertThat(publisher.merge("load/other")).isEqualTo(403);

            assertThat(cfo.keys("main")).contains("finance.ledger");
            assertThat(cfo.put("main", table("finance.budget"))).isEqualTo(200);
            assertThat(cfo.put("main", table("sales.budget"))).isEqualTo(403);
            assertThat(cfo.status("GET", "/trees/load%2Ftonight", "")).isEqualTo(404);

            assertThat(stranger.status("GET", "/config", "")).isEqualTo(200);
            assertThat(stranger.get("/trees").path("references")).isEmpty();
            assertThat(stranger.status("GET", "/trees/main", "")).isEqualTo(404);
        }
    }

    private static String namespace(String key) {
        return "{\"type\":\"PUT\",\"key\":" + key(key) + ",\"content\":{\"type\":\"NAMESPACE\"," + key(key).substring(1)
                + "}";
    }

    private static String table(String key) {
        return "{\"type\":\"PUT\",\"key\":" + key(key)
                + ",\"content\":{\"type\":\"ICEBERG_TABLE\",\"metadataLocation\":\"s3://lake/" + key
                + "\",\"snapshotId\":1,\"schemaId\":0,\"specId\":0,\"sortOrderId\":0}}";
    }

    private static String key(String text) {
        return Stream.of(text.split("\\.")).collect(Collectors.joining("\",\"", "{\"elements\":[\"", "\"]}"));
    }

    /** Somebody with a token. */
    private record Team(Http http, String token) {

        HttpResponse<String> send(String method, String path, String body) throws Exception {
            return http.send(http.request(path)
                    .setHeader("Authorization", "Bearer " + token)
                    .header("Content-Type", "application/json")
                    .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                    .build());
        }

        int status(String method, String path, String body) throws Exception {
            return send(method, path, body).statusCode();
        }

        JsonNode get(String path) throws Exception {
            HttpResponse<String> answer = send("GET", path, "");
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            return Http.JSON.readTree(answer.body());
        }

        String head(String branch) throws Exception {
            return get("/trees/" + branch.replace("/", "%2F"))
                    .at("/reference/hash")
                    .asText();
        }

        List<String> keys(String branch) throws Exception {
            JsonNode entries =
                    get("/trees/" + branch.replace("/", "%2F") + "/entries").path("entries");
            return entries.valueStream()
                    .map(entry -> entry.at("/name/elements")
                            .valueStream()
                            .map(JsonNode::asText)
                            .collect(Collectors.joining(".")))
                    .toList();
        }

        /** Makes a branch where main is. */
        int create(String branch) throws Exception {
            return status(
                    "POST",
                    "/trees?type=BRANCH&name=" + branch,
                    "{\"type\":\"BRANCH\",\"name\":\"main\",\"hash\":\"" + head("main") + "\"}");
        }

        int put(String branch, String... operations) throws Exception {
            return status(
                    "POST",
                    "/trees/" + branch.replace("/", "%2F") + "@" + head(branch) + "/history/commit",
                    "{\"commitMeta\":{\"message\":\"m\"},\"operations\":[" + String.join(",", operations) + "]}");
        }

        /** Merges all of a branch into main; of one that the caller does not see, from where main is. */
        int merge(String branch) throws Exception {
            HttpResponse<String> source = send("GET", "/trees/" + branch.replace("/", "%2F"), "");
            String hash = source.statusCode() == 200
                    ? Http.JSON.readTree(source.body()).at("/reference/hash").asText()
                    : head("main");
            return status(
                    "POST",
                    "/trees/main@" + head("main") + "/history/merge",
                    "{\"fromRefName\":\"" + branch + "\",\"fromHash\":\"" + hash + "\"}");
        }
    }
}
