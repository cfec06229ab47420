package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.quarkus.test.oidc.server.OidcWiremockTestResource;
import io.quarkus.vertx.http.ManagementInterface;
import io.vertx.ext.web.Router;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.anabranch.wiring.AccessFixture.Call;
import org.anabranch.wiring.AccessFixture.Caller;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What each kind of caller is answered by everything that the API offers, and that no answer shows them what they may not see. */
@QuarkusTest
@TestProfile(AccessProfile.class)
@QuarkusTestResource(value = OidcWiremockTestResource.class, restrictToAnnotatedClass = true)
class AccessMatrixTest {

    /** The callers of the matrix, from left to right. */
    private static final List<Caller> COLUMNS =
            List.of(Caller.NOBODY, Caller.READER, Caller.WRITER, Caller.MERGER, Caller.ADMIN);

    private static AccessFixture lake;

    @TestHTTPResource("/")
    URI root;

    @TestHTTPResource(value = "", management = true)
    URI management;

    @Inject
    ManagementRoutes managementRoutes;

    /** A line of the matrix: the status for each caller, in their order, and the request. */
    record Row(List<Integer> statuses, String request) {

        static Row parse(String line) {
            String[] words = line.split(" ", COLUMNS.size() + 1);
            return new Row(
                    Arrays.stream(words)
                            .limit(COLUMNS.size())
                            .map(Integer::valueOf)
                            .toList(),
                    words[COLUMNS.size()]);
        }

        @Override
        public String toString() {
            return request;
        }
    }

    static List<Row> rows() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("test/resources/access/matrix.txt"))) {
            return lines.filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(Row::parse)
                    .toList();
        }
    }

    @BeforeEach
    void fill() throws Exception {
        if (lake == null) {
            lake = new AccessFixture(root);
            lake.fill();
        }
    }

    @ParameterizedTest
    @MethodSource("rows")
    void row(Row row) throws Exception {
        List<Integer> statuses = new ArrayList<>();
        List<String> messages = new ArrayList<>();
        for (Caller caller : COLUMNS) {
            Call call = lake.call(row.request());
            HttpResponse<String> answer = lake.send(caller, call);
            statuses.add(answer.statusCode());
            messages.add(caller.text() + ": " + answer.body());
            if (caller != Caller.ADMIN) {
                lake.assertNothingLeaks(call, answer);
            }
        }
        assertThat(statuses).as(String.join("\n", messages)).isEqualTo(row.statuses());

        HttpResponse<String> anonymous = lake.send(null, lake.call(row.request()));
        assertThat(anonymous.statusCode()).isEqualTo(401);
        assertThat(anonymous.body()).isEmpty();
    }

    @Test
    void everyOperationAndParameterHasARow() throws Exception {
        Map<String, Set<String>> covered = new TreeMap<>();
        Map<String, Set<String>> offered = new TreeMap<>();
        JsonNode paths = lake.get(Caller.ADMIN, "/q/openapi?format=json").get("paths");
        paths.properties()
                .forEach(path -> path.getValue().properties().forEach(operation -> {
                    String method = operation.getKey().toUpperCase(Locale.ROOT);
                    String name = method + " " + path.getKey();
                    Set<String> parameters = offered.computeIfAbsent(name, key -> new TreeSet<>());
                    operation.getValue().path("parameters").forEach(parameter -> {
                        if (parameter.get("in").asText().equals("query")) {
                            parameters.add(parameter.get("name").asText());
                        }
                    });
                    Pattern pattern =
                            Pattern.compile(method + " " + path.getKey().replaceAll("\\{[^}]*}", "[^/]+"));
                    covered.put(name, rowsOf(pattern));
                }));

        assertThat(covered).isEqualTo(offered);
    }

    /** The parameters in the rows of an operation; with the name of no parameter where it has no row. */
    private static Set<String> rowsOf(Pattern operation) {
        Set<String> parameters = new TreeSet<>();
        boolean found = false;
        try {
            for (Row row : rows()) {
                String[] words = row.request().split(" ");
                String[] pathAndQuery = words[1].split("\\?", 2);
                String path = pathAndQuery[0].replaceAll("\\([^)]*\\)", "");
                if (operation.matcher(words[0] + " " + path).matches()) {
                    found = true;
                    if (pathAndQuery.length > 1) {
                        Stream.of(pathAndQuery[1].split("&"))
                                .map(parameter -> parameter.replaceFirst("=.*", ""))
                                .forEach(parameters::add);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found ? parameters : Set.of("(no row)");
    }

    /**
     * A request for what exists and is hidden, and the same request for what does not exist, are answered in the same words. A bar
     * separates the two names; in requests, {@code {}} stands for either.
     */
    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            xyzzy%2Fsecret | xyzzy%2Fmissing ; GET /api/v2/trees/{}
            xyzzy%2Fsecret | xyzzy%2Fmissing ; GET /api/v2/trees/{}/entries
            xyzzy%2Fsecret | xyzzy%2Fmissing ; GET /api/v2/trees/{}~1/history
            xyzzy%2Fsecret | xyzzy%2Fmissing ; GET /api/v2/trees/main/diff/{}
            xyzzy%2Fsecret | xyzzy%2Fmissing ; GET /api/ext/v1/trees/{}/count
            xyzzy%2Fsecret | xyzzy%2Fmissing ; GET /api/v2/trees/{}/contents/sales.orders
            xyzzy%2Fsecret | xyzzy%2Fmissing ; GET /api/v2/trees/{}/recent-changes
            xyzzy%2Fsecret | xyzzy%2Fmissing ; DELETE /api/v2/trees/{}@$FIRST
            xyzzy%2Fsecret | xyzzy%2Fmissing ; POST /api/v2/trees/{}@$FIRST/history/commit $PUT(sales.n$N)
            xyzzy/secret | xyzzy/missing ; POST /api/v2/trees?type=BRANCH&name={} {'type':'BRANCH','name':'main','hash':'$FIRST'}
            xyzzy/secret | xyzzy/missing ; POST /api/v2/trees?type=BRANCH&name=own/x$N {'type':'BRANCH','name':'{}','hash':'$FIRST'}
            xyzzy/secret | xyzzy/missing ; POST /api/v2/trees/main@$HEAD(main)/history/merge {'fromRefName':'{}','fromHash':'$FIRST'}
            xyzzy/secret | xyzzy/missing ; POST /api/v2/trees/main@$HEAD(main)/history/transplant {'fromRefName':'{}','hashesToTransplant':['$FIRST']}
            xyzzy-tag | xyzzy-non ; GET /api/v2/trees/{}
            hr.xyzzy1 | hr.xyzzy0 ; GET /api/v2/trees/main/contents/{}
            hr.xyzzy1 | hr.xyzzy0 ; GET /api/v2/trees/main/contents?key=sales.orders&key={}
            hr.xyzzy1 | hr.xyzzy0 ; GET /api/v2/trees/main/entries?key=sales.orders&key={}
            hr.xyzzy1 | hr.xyzzy0 ; GET /api/v2/trees/main/entries?prefix-key={}
            hr.xyzzy1 | hr.xyzzy0 ; GET /api/ext/v1/trees/main/contents/{}/history
            hr.xyzzy1 | hr.xyzzy0 ; GET /api/ext/v1/trees/main/count?parent-key={}
            hr.xyzzy1 | hr.xyzzy0 ; GET /api/ext/v1/trees/main/children?parent-key={}
            hr.xyzzy1 | hr.xyzzy0 ; GET /api/v2/trees/main@$FIRST/diff/main?key={}
            sales.vault.xyzzy | sales.vault.xyzzz ; GET /api/v2/trees/main/contents/{}
            hr.xyzzy1 | hr.xyzzy0 ; POST /api/v2/trees/main@$HEAD(main)/history/commit $PUT({})
            hr.xyzzy1 | hr.xyzzy0 ; POST /api/v2/trees/main@$FIRST/history/commit $PUT({})
            hr.xyzzy1 | hr.xyzzy0 ; POST /api/v2/trees/main@$HEAD(main)/history/commit $DELETE({})
            hr.xyzzy1 | hr.xyzzy0 ; POST /api/v2/trees/main@$HEAD(main)/history/commit $UNCHANGED({})
            hr.xyzzy1 | hr.xyzzy0 ; POST /api/v2/trees/main@$HEAD(main)/history/commit $PUT({}.below)
            hr.xyzzy1 | hr.xyzzy0 ; POST /api/ext/v1/trees/main@$HEAD(main)/contents/{}/revert {'hash':'$FIRST'}
            xyzzy1 | xyzzy0 ; POST /api/v2/trees/main@$HEAD(main)/history/merge {'fromRefName':'main','fromHash':'$FIRST','keyMergeModes':[{'key':{'elements':['hr','{}']},'mergeBehavior':'FORCE'}]}
            $HEAD(xyzzy/secret) | 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff ; GET /api/v2/trees/@{}/entries
            $HEAD(xyzzy/secret) | 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff ; GET /api/v2/trees/main@{}/entries
            $HEAD(xyzzy/secret) | 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff ; GET /api/v2/trees/main@{}~1/history
            $HEAD(xyzzy/secret) | 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff ; GET /api/v2/trees/main@{}~9/history
            $HEAD(xyzzy/secret) | 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff ; GET /api/v2/trees/main/history?page-token={}
            $HEAD(xyzzy/secret) | 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff ; GET /api/v2/trees/main/history?limit-hash={}
            $HEAD(xyzzy/secret) | 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff ; GET /api/v2/trees/main/history?limit-hash={}~1
            $HEAD(xyzzy/secret) | 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff ; POST /api/v2/trees?type=BRANCH&name=own/y$N {'type':'DETACHED','hash':'{}'}
            $HEAD(xyzzy/secret) | 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff ; POST /api/v2/trees/main@{}/history/commit $PUT(sales.n$N)
            $HEAD(xyzzy/secret) | 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff ; POST /api/v2/trees/main@$HEAD(main)/history/merge {'fromRefName':'main','fromHash':'{}'}
            $HEAD(xyzzy/secret) | 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff ; POST /api/v2/trees/main@$HEAD(main)/history/transplant {'fromRefName':'main','hashesToTransplant':['{}']}
            $HEAD(xyzzy/secret) | 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff ; POST /api/ext/v1/trees/main@$HEAD(main)/history/revert {'hash':'{}'}
            """)
    void whatIsHiddenIsAsIfItWereNotThere(String names, String request) throws Exception {
        for (Caller caller : List.of(Caller.NOBODY, Caller.READER, Caller.WRITER, Caller.MERGER)) {
            List<String> answers = new ArrayList<>();
            for (String name : names.split(" \\| ")) {
                Call call = lake.call(request.replace("{}", name));
                HttpResponse<String> answer = lake.send(caller, call);
                lake.assertNothingLeaks(call, answer);
                String plain = name.startsWith("$") ? lake.head("xyzzy/secret") : name.replace("%2F", "/");
                // As a key of one element with dots in it.
                String escaped = "." + plain.replace(".", "*.");
                answers.add(answer.statusCode() + " "
                        + answer.body()
                                .replace(escaped, "{}")
                                .replace(plain, "{}")
                                .replaceAll("(own/[xy]|sales\\.n)\\d+", "$1"));
            }
            assertThat(answers.get(0)).as(caller.text()).isEqualTo(answers.get(1));
        }
    }

    /** Counts, pages and columns of what is left when the hidden is left out. */
    @ParameterizedTest
    @EnumSource(names = {"READER", "WRITER", "MERGER"})
    void countsAreOfWhatIsVisible(Caller caller) throws Exception {
        List<String> all = keys(lake.get(Caller.ADMIN, "/api/v2/trees/main/entries"));
        List<String> visible = all.stream()
                .filter(key -> (key + ".").startsWith("sales.") && !(key + ".").startsWith("sales.vault."))
                .toList();
        assertThat(visible).isNotEmpty().hasSizeLessThan(all.size());

        assertThat(keys(lake.get(caller, "/api/v2/trees/main/entries"))).isEqualTo(visible);
        assertThat(lake.get(caller, "/api/ext/v1/trees/main/count").get("count").asInt())
                .isEqualTo(visible.size());
        assertThat(lake.get(caller, "/api/ext/v1/trees/main/count?parent-key=hr")
                        .get("count")
                        .asInt())
                .isZero();
        assertThat(keys(lake.get(caller, "/api/ext/v1/trees/main/children"))).containsExactly("sales");
        for (String listing : List.of(
                "/api/v2/trees/main/entries?max-records=2",
                "/api/ext/v1/trees/main/entries?max-records=2",
                "/api/v2/trees/main/entries?max-records=2&filter=true")) {
            assertThat(pages(caller, listing, 2)).as(listing).isEqualTo(visible);
        }
    }

    /** All keys of a listing in pages of a size, of which only the last may be smaller, and none is empty. */
    private static List<String> pages(Caller caller, String listing, int size) throws Exception {
        List<String> all = new ArrayList<>();
        JsonNode page = lake.get(caller, listing);
        while (page.get("hasMore").asBoolean()) {
            assertThat(keys(page)).hasSize(size);
            all.addAll(keys(page));
            page = lake.get(caller, listing + "&page-token=" + page.get("token").asText());
        }
        assertThat(keys(page)).isNotEmpty();
        all.addAll(keys(page));
        return all;
    }

    private static List<String> keys(JsonNode listing) {
        List<String> keys = new ArrayList<>();
        listing.get("entries").forEach(entry -> {
            List<String> elements = new ArrayList<>();
            entry.path(entry.has("name") ? "name" : "key")
                    .path("elements")
                    .forEach(element -> elements.add(element.asText()));
            keys.add(String.join(".", elements));
        });
        return keys;
    }

    @Test
    void aRenameFromWhatIsHiddenIsACreation() throws Exception {
        JsonNode found = lake.get(Caller.READER, "/api/ext/v1/trees/main/contents/sales.found/history");
        assertThat(found.get("changes")).isNotEmpty();
        assertThat(found.toString()).doesNotContain(AccessFixture.HIDDEN_NAME).doesNotContain("hr");
        JsonNode gone = lake.get(Caller.READER, "/api/ext/v1/trees/main/contents/sales.gone/history");
        assertThat(gone.get("changes")).isNotEmpty();
        assertThat(gone.toString()).doesNotContain(AccessFixture.HIDDEN_NAME).doesNotContain("hr");
    }

    @Test
    void onlyWhoReadsEverythingIsToldSo() throws Exception {
        for (Caller caller : Caller.values()) {
            assertThat(lake.get(caller, "/api/ext/v1/access").get("unfiltered").asBoolean())
                    .as(caller.text())
                    .isEqualTo(caller == Caller.ADMIN);
        }
    }

    /** How far a reference is behind counts commits of the default branch, which not everybody may see. */
    @Test
    void metadataOfReferencesTellNothingOfAHiddenDefaultBranch() throws Exception {
        String branch = lake.call("GET $DEV").path();
        for (String path :
                List.of("/api/v2/trees?fetch=ALL", "/api/v2/trees/" + branch.replace("/", "%2F") + "?fetch=ALL")) {
            String shown = lake.get(Caller.OUTSIDER, path).toString();
            assertThat(shown).contains(branch).doesNotContain("\"main\"");
            assertThat(shown)
                    .as("commits of main are not counted")
                    .contains("\"numCommitsAhead\":null,\"numCommitsBehind\":null")
                    .contains("\"commonAncestorHash\":null");
        }
    }

    /** Sees which routes the management port has. */
    @Singleton
    public static class ManagementRoutes {

        private Router router;

        void see(@Observes ManagementInterface management) {
            router = management.router();
        }

        List<String> ofOperators() {
            return router.getRoutes().stream()
                    .filter(route -> route.getPath() != null && route.getPath().startsWith("/admin/"))
                    .filter(route -> route.methods() != null)
                    .flatMap(route -> route.methods().stream().map(method -> method + " " + route.getPath()))
                    .toList();
        }
    }

    /** What operators ask of the management port is a matter of the rules too; a new route there needs its line here. */
    @Test
    void operatorsAreAskedForTheirRight() throws Exception {
        Map<String, Integer> ofAdmin = new TreeMap<>(Map.of(
                "GET /admin/check", 200,
                "POST /admin/check", 202,
                "DELETE /admin/check", 202,
                "GET /admin/sweep", 200,
                "POST /admin/sweep", 202,
                "DELETE /admin/sweep", 202,
                "GET /admin/export", 200));
        assertThat(managementRoutes.ofOperators()).containsExactlyInAnyOrderElementsOf(ofAdmin.keySet());
        AccessFixture port = new AccessFixture(management);
        // Of the framework, and there only if the service was built with metrics.
        ofAdmin.put(
                "GET /q/metrics",
                port.send(Caller.ADMIN, new Call("GET", "/q/metrics", "")).statusCode() == 404 ? 404 : 200);
        for (var operation : ofAdmin.entrySet()) {
            String[] methodAndPath = operation.getKey().split(" ");
            Call call = new Call(methodAndPath[0], methodAndPath[1], "");
            HttpResponse<String> anonymous = port.send(null, call);
            assertThat(anonymous.statusCode()).as(call.text()).isEqualTo(401);
            assertThat(anonymous.body()).isEmpty();
            for (Caller caller : Caller.values()) {
                HttpResponse<String> answer = port.send(caller, call);
                assertThat(answer.statusCode())
                        .as(caller.text() + ": " + call.text())
                        .isEqualTo(caller == Caller.ADMIN ? operation.getValue() : 403);
                if (caller != Caller.ADMIN) {
                    lake.assertNothingLeaks(call, answer);
                }
            }
        }
    }

    /** Health is for whoever reaches the port, and metrics for those who may know how much there is, not what. */
    @Test
    void healthAndMetricsNameNothing() throws Exception {
        AccessFixture port = new AccessFixture(management);
        for (String path : List.of("/q/health", "/q/health/live", "/q/health/ready")) {
            Call call = new Call("GET", path, "");
            HttpResponse<String> answer = port.send(null, call);
            assertThat(answer.statusCode()).isEqualTo(200);
            lake.assertNothingLeaks(call, answer);
        }
        Call metrics = new Call("GET", "/q/metrics", "");
        lake.assertNothingLeaks(metrics, port.send(Caller.ADMIN, metrics));
    }
}
