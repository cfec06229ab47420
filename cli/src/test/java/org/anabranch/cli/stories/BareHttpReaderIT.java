package org.anabranch.cli.stories;

import static org.anabranch.cli.stories.CatalogClient.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.anabranch.certificates.TestAuthority;
import org.anabranch.certificates.TestAuthority.Issued;
import org.anabranch.cli.service.ServiceProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.projectnessie.model.Branch;
import org.projectnessie.model.CommitResponse;
import org.projectnessie.model.ContentKey;
import org.projectnessie.model.Namespace;
import org.projectnessie.model.Operation;
import org.projectnessie.model.Operation.Delete;
import org.projectnessie.model.Operation.Put;

/** A reader that knows three requests and no client library, and reads one commit while another client writes. */
class BareHttpReaderIT {

    @TempDir
    private Path folder;

    private static final int TABLES = 95;
    private static final int PAGE = 10;

    @Test
    void overPlainHttp() throws Exception {
        String given = System.getProperty("anabranch.uri", "");
        if (!given.isEmpty()) {
            aWalkSeesTheOneCommitItBeganAt(URI.create(given), null);
            return;
        }
        try (ServiceProcess service = ServiceProcess.start(folder)) {
            aWalkSeesTheOneCommitItBeganAt(service.api(), null);
        }
    }

    @Test
    void overTlsWithAnAuthorityOfItsOwn() throws Exception {
        TestAuthority authority = TestAuthority.create("authority");
        try (ServiceProcess service = serveEncrypted(authority.issue("catalog"));
                Http plain = new Http(URI.create(service.api().toString().replace("https:", "http:")));
                Http distrustful =
                        new Http(service.api(), TestAuthority.create("another").client(null))) {
            aWalkSeesTheOneCommitItBeganAt(service.api(), authority.client(null));

            assertThatThrownBy(() -> plain.get("/config")).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> distrustful.get("/config")).isInstanceOf(SSLException.class);
        }
    }

    @Test
    void overTlsWithCertificatesOnBothSides() throws Exception {
        TestAuthority authority = TestAuthority.create("authority");
        TestAuthority clients = TestAuthority.create("clients");
        String known = "-Danabranch.tls.client-authorities=" + clients.write(folder.resolve("clients.crt"));
        try (ServiceProcess service = serveEncrypted(authority.issue("catalog"), known);
                Http withoutCertificate = new Http(service.api(), authority.client(null));
                Http ofAnother = new Http(service.api(), authority.client(authority.issue("reader")))) {
            aWalkSeesTheOneCommitItBeganAt(service.api(), authority.client(clients.issue("reader")));

            assertThatThrownBy(() -> withoutCertificate.get("/config")).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> ofAnother.get("/config")).isInstanceOf(IOException.class);
        }
    }

    /** The service's certificate is renewed by another authority while it runs, and a client that believes that one alone is served. */
    @Test
    @Timeout(240)
    void aRenewedCertificateIsTakenWithoutARestart() throws Exception {
        TestAuthority renewing = TestAuthority.create("renewing");
        try (ServiceProcess service = serveEncrypted(
                        TestAuthority.create("first").issue("catalog"), "-Danabranch.tls.reload-period=2S");
                Http http = new Http(service.api(), renewing.client(null))) {
            assertThatThrownBy(() -> http.get("/config")).isInstanceOf(SSLException.class);

            Issued renewed = renewing.issue("catalog");
            renewed.writeKey(folder.resolve("catalog.key"));
            renewed.writeCertificate(folder.resolve("catalog.crt"));

            assertThat(awaitServed(http)).isTrue();
        }
    }

    /** Asks until the handshake succeeds; the test's time is the limit. */
    private static boolean awaitServed(Http http) throws Exception {
        while (true) {
            try {
                return http.get("/config").has("defaultBranch");
            } catch (SSLException notYet) {
                Thread.onSpinWait();
            }
        }
    }

    private ServiceProcess serveEncrypted(Issued certificate, String... options) throws IOException {
        return ServiceProcess.start(
                folder,
                Stream.concat(
                                Stream.of(
                                        "-Danabranch.tls.certificate="
                                                + certificate.writeCertificate(folder.resolve("catalog.crt")),
                                        "-Danabranch.tls.key=" + certificate.writeKey(folder.resolve("catalog.key"))),
                                Stream.of(options))
                        .toArray(String[]::new));
    }

    private static void aWalkSeesTheOneCommitItBeganAt(URI api, SSLContext tls) throws Exception {
        try (CatalogClient writer = new CatalogClient(api, tls);
                Http http = new Http(api, tls)) {
            CommitResponse created = writer.commitForResponse(
                    writer.emptyBranch("walked"), "tables", tables().toArray(Operation[]::new));
            Map<ContentKey, String> contentIds = created.toAddedContentsMap();
            Branch branch = created.getTargetBranch();

            String hash =
                    http.get("/trees/" + branch.getName()).at("/reference/hash").textValue();
            String at = "/trees/" + branch.getName() + "@" + hash;
            List<JsonNode> keys = new ArrayList<>();
            Map<String, String> locations = new TreeMap<>();
            String token = "";
            boolean hasMore = true;
            for (int page = 0; hasMore; page++) {
                branch = disturb(writer, branch, contentIds, page);

                JsonNode entries = http.get(at + "/entries?max-records=" + PAGE + token);
                assertThat(entries.at("/effectiveReference/hash").textValue()).isEqualTo(hash);
                assertThat(entries.get("entries")).hasSizeLessThanOrEqualTo(PAGE);
                entries.get("entries").forEach(entry -> keys.add(entry.get("name")));
                hasMore = entries.get("hasMore").booleanValue();
                token = "&page-token=" + URLEncoder.encode(entries.path("token").asText(), StandardCharsets.UTF_8);
            }
            for (int from = 0; from < keys.size(); from += PAGE) {
                List<JsonNode> requested = keys.subList(from, Math.min(keys.size(), from + PAGE));
                JsonNode contents = http.post(at + "/contents", requestedKeys(requested));
                assertThat(contents.at("/effectiveReference/hash").textValue()).isEqualTo(hash);
                assertThat(contents.get("contents")).hasSameSizeAs(requested);
                contents.get("contents")
                        .forEach(content -> locations.put(
                                content.at("/key/elements").toString(),
                                content.at("/content/metadataLocation").asText("")));
            }

            assertThat(keys).hasSize(TABLES + 1);
            Map<String, String> expected = new TreeMap<>();
            expected.put("[\"shop\"]", "");
            IntStream.range(100, 100 + TABLES)
                    .forEach(i -> expected.put("[\"shop\",\"t" + i + "\"]", table(i).getMetadataLocation()));
            assertThat(locations).isEqualTo(expected);
            assertThat(writer.head(branch).getHash())
                    .as("the branch did move meanwhile")
                    .isNotEqualTo(hash);
        }
    }

    private static List<Operation> tables() {
        List<Operation> puts = new ArrayList<>();
        puts.add(Put.of(ContentKey.of("shop"), Namespace.of("shop")));
        IntStream.range(100, 100 + TABLES).forEach(i -> puts.add(Put.of(key("t" + i), table(i))));
        return puts;
    }

    /** Adds a table, changes one and drops one, all of them on pages that are still to come. */
    private static Branch disturb(CatalogClient writer, Branch branch, Map<ContentKey, String> contentIds, int page)
            throws Exception {
        int next = Math.min(100 + TABLES - 2, 100 + (page + 1) * PAGE - 3);
        ContentKey changed = key("t" + next);
        ContentKey dropped = key("t" + (next + 1));
        if (page * PAGE >= TABLES - PAGE) {
            return branch;
        }
        return writer.commit(
                branch,
                "while the walk is at page " + page,
                Put.of(key("t" + next + "-new"), table(page)),
                Put.of(changed, table(page).withId(contentIds.get(changed))),
                Delete.of(dropped));
    }

    private static ContentKey key(String table) {
        return ContentKey.of("shop", table);
    }

    private static ObjectNode requestedKeys(List<JsonNode> keys) {
        ObjectNode body = Http.JSON.createObjectNode();
        ArrayNode requested = body.putArray("requestedKeys");
        requested.addAll(keys);
        return body;
    }
}
