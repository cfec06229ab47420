package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.oidc.server.OidcWiremockTestResource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The lake of the access matrix, its callers, and what an answer must not show them. On main:
 *
 * <pre>
 *   first       namespaces hr, sales, sales.vault; the table sales.orders
 *   payroll     hr.xyzzy1 to hr.xyzzy5, salesxyzzy, sales.vault.xyzzy
 *   PLAN, then  sales.orders updated twice
 *   BOTH        sales.items, and hr.xyzzy1 updated
 *   found       hr.xyzzy-lost renamed to sales.found; sales.gone renamed to hr.xyzzy-gone
 * </pre>
 *
 * and the branch {@code xyzzy/secret} and the tag {@code xyzzy-tag}, whose commits no other reference reaches.
 */
final class AccessFixture {

    static final ObjectMapper JSON = new ObjectMapper();

    /** In the names of keys and references that only the administrator knows. */
    static final String HIDDEN_NAME = "xyzzy";

    /** In what they hold, and in the messages of commits that nobody else reaches. */
    private static final String HIDDEN_VALUE = "plugh";

    private static final String MAIN = "/api/v2/trees/main";

    /** Where commits begin in a page token. */
    private static final int TOKEN_COMMITS = 10;

    private static final Pattern NAME = Pattern.compile("\\$([A-Z]+)\\b(?!\\()");
    private static final Pattern FUNCTION = Pattern.compile("\\$([A-Z]+)\\(([^()]*)\\)");

    /** Who asks. */
    enum Caller {
        NOBODY,
        READER,
        WRITER,
        MERGER,
        ADMIN,
        /** Sees dev/ and not main. */
        OUTSIDER;

        private final String token = OidcWiremockTestResource.getAccessToken(text(), Set.of(text()));

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** One request as it is sent; a body that is empty is none. */
    record Call(String method, String path, String body) {

        String text() {
            return method + " " + path + " " + body;
        }
    }

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI root;
    private final Set<String> markers = new LinkedHashSet<>();
    private int numbers;

    private String first = "";
    private String plan = "";
    private String both = "";

    AccessFixture(URI root) {
        this.root = root;
    }

    /** Fills the lake. */
    void fill() throws Exception {
        first = commit(
                "main",
                "first",
                namespace("hr"),
                namespace("sales"),
                namespace("sales.vault"),
                put("sales.orders", table("s3://lake/orders/v1", "")),
                put("sales.gone", table("s3://lake/gone", "")));
        commit(
                "main",
                "payroll",
                Stream.of(
                                "hr.xyzzy1",
                                "hr.xyzzy2",
                                "hr.xyzzy3",
                                "hr.xyzzy4",
                                "hr.xyzzy5",
                                "hr.xyzzy-lost",
                                "salesxyzzy",
                                "sales.vault.xyzzy")
                        .map(key -> put(key, table("s3://lake/plugh/" + key, "")))
                        .toArray(String[]::new));
        for (String key : List.of("hr.xyzzy1", "hr.xyzzy2", "hr.xyzzy3", "sales.vault.xyzzy", "salesxyzzy")) {
            markers.add(id(key));
        }
        plan = commit("main", "orders 2", put("sales.orders", table("s3://lake/orders/v2", id("sales.orders"))));
        commit("main", "orders 3", put("sales.orders", table("s3://lake/orders/v3", id("sales.orders"))));
        both = commit(
                "main",
                "both",
                put("sales.items", table("s3://lake/items", "")),
                put("hr.xyzzy1", table("s3://lake/plugh/again", id("hr.xyzzy1"))));
        commit(
                "main",
                "found",
                delete("hr.xyzzy-lost"),
                put("sales.found", table("s3://lake/found", id("hr.xyzzy-lost"))),
                delete("sales.gone"),
                put("hr.xyzzy-gone", table("s3://lake/plugh/gone", id("sales.gone"))));
        create("BRANCH", "xyzzy/secret", first);
        commit("xyzzy/secret", "plugh 1", put("sales.orders", table("s3://plugh/orders", id("sales.orders"))));
        commit("xyzzy/secret", "plugh 2", put("sales.xyzzy", table("s3://plugh/xyzzy", "")));
        create("TAG", "xyzzy-tag", head("xyzzy/secret"));
        markers.add(HIDDEN_NAME);
        markers.add(HIDDEN_VALUE);
        markers.add(head("xyzzy/secret"));
    }

    /** Sends a request as a caller; null shows no token. */
    HttpResponse<String> send(Caller caller, Call call) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + root.getAuthority() + call.path()))
                .timeout(Duration.ofSeconds(60))
                .header("Nessie-Client-Spec", "2")
                .method(
                        call.method(),
                        call.body().isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(call.body()));
        if (caller != null) {
            request.header("Authorization", "Bearer " + caller.token);
        }
        if (!call.body().isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    /** The JSON that a caller is answered, which must be a 200. */
    JsonNode get(Caller caller, String path) throws Exception {
        return ok(send(caller, new Call("GET", path, "")));
    }

    private static JsonNode ok(HttpResponse<String> answer) throws IOException {
        assertThat(answer.statusCode())
                .as("%s: %s", answer.uri(), answer.body())
                .isEqualTo(200);
        return JSON.readTree(answer.body());
    }

    /** Nothing that the request did not name itself shows in body, headers or token; nor anything of our classes and tables. */
    void assertNothingLeaks(Call call, HttpResponse<String> answer) throws IOException {
        String shown = answer.body() + answer.headers().map() + tokenText(answer.body());
        String asked = call.text() + tokenText(call.path());
        assertThat(markers).isNotEmpty().allSatisfy(marker -> {
            if (!asked.contains(marker)) {
                assertThat(shown).as(call.text()).doesNotContain(marker);
            }
        });
        assertThat(shown)
                .doesNotContainPattern("(?i)Exception|\\bat org\\.|org\\.anabranch|io\\.quarkus|java\\.lang|SELECT ");
    }

    /** What stands in page tokens, which are base64 of names and of keys in UTF-16. */
    private static String tokenText(String text) throws IOException {
        Matcher token =
                Pattern.compile("(?:\"token\":\"|page-token=)([A-Za-z0-9_-]+)").matcher(text);
        StringBuilder plain = new StringBuilder();
        while (token.find()) {
            byte[] bytes;
            try {
                bytes = Base64.getUrlDecoder().decode(token.group(1));
            } catch (IllegalArgumentException aHash) {
                continue;
            }
            plain.append(new String(bytes, StandardCharsets.ISO_8859_1).replace("\0", ""))
                    .append(HexFormat.of().formatHex(bytes));
        }
        return plain.toString();
    }

    /** A request in the words of the matrix, ready to be sent; what it asks for is made now. */
    Call call(String text) throws Exception {
        int number = ++numbers;
        String[] words = text.split(" ", 3);
        Map<String, String> made = new HashMap<>();
        List<String> parts = new ArrayList<>();
        for (String part : List.of(words[1], words.length > 2 ? words[2].replace('\'', '"') : "")) {
            parts.add(replaced(part, NAME, match -> {
                if (!made.containsKey(match.group(1))) {
                    made.put(match.group(1), made(match.group(1), number));
                }
                return made.get(match.group(1));
            }));
        }
        // Only now, because what was made may have moved heads.
        parts.set(0, replaced(parts.get(0), FUNCTION, match -> applied(match.group(1), match.group(2), number)));
        parts.set(1, replaced(parts.get(1), FUNCTION, match -> applied(match.group(1), match.group(2), number)));
        return new Call(words[0], forged(parts.get(0)), parts.get(1));
    }

    private String made(String name, int number) throws Exception {
        return switch (name) {
            case "N" -> Integer.toString(number);
            case "FIRST" -> first;
            case "PLAN" -> plan;
            case "BOTH" -> both;
            case "OWN" -> create("BRANCH", "own/b" + number, head("main"));
            case "OWNTAG" -> create("TAG", "own/t" + number, head("main"));
            case "EXISTING" -> {
                commit("main", "to be deleted", put("sales.n" + number, table("s3://lake/n", "")));
                yield Integer.toString(number);
            }
            case "DEV" -> {
                String branch = create("BRANCH", "dev/d" + number, head("main"));
                commit(branch, "change", put("sales.d" + number, table("s3://lake/d", "")));
                yield branch;
            }
            case "MIXED" -> {
                String branch = create("BRANCH", "dev/m" + number, head("main"));
                commit(
                        branch,
                        "change",
                        put("sales.m" + number, table("s3://lake/m", "")),
                        put("hr.xyzzy-m" + number, table("s3://lake/plugh/m", "")));
                yield branch;
            }
            default -> throw new IllegalArgumentException(name);
        };
    }

    private String applied(String function, String argument, int number) throws Exception {
        return switch (function) {
            case "HEAD" -> head(argument);
            case "PUT" -> commitBody("put", put(argument, table("s3://lake/put", "")));
            case "UPDATE" -> commitBody("update", put(argument, table("s3://lake/update" + number, id(argument))));
            case "DELETE" -> commitBody("delete", delete(argument));
            case "UNCHANGED" -> commitBody("unchanged", "{\"type\":\"UNCHANGED\",\"key\":" + key(argument) + "}");
            case "REFTOKEN" -> encoded(("b/" + argument).getBytes(StandardCharsets.UTF_8));
            case "TOKEN" -> "FORGE(" + argument + ")";
            default -> throw new IllegalArgumentException(function);
        };
    }

    /**
     * The path with a token that an attacker made: from one that the listing gave out, with other commits and another key, as they
     * stand behind the parameters, which are digested without a secret.
     */
    private String forged(String path) throws Exception {
        Matcher wanted = Pattern.compile("&page-token=FORGE\\(([^)]*)\\)").matcher(path);
        if (!wanted.find()) {
            return path;
        }
        List<String> arguments = List.of(wanted.group(1).split(","));
        List<String> references = arguments.subList(0, arguments.size() - 1);
        JsonNode firstPage = get(Caller.ADMIN, wanted.replaceAll(""));
        byte[] genuine = Base64.getUrlDecoder().decode(firstPage.get("token").asText());
        byte[] name = String.join("\0", arguments.getLast().split("\\.")).getBytes(StandardCharsets.UTF_16BE);
        ByteBuffer forged = ByteBuffer.allocate(TOKEN_COMMITS + references.size() * 32 + name.length);
        forged.put(genuine, 0, TOKEN_COMMITS);
        for (String reference : references) {
            forged.put(HexFormat.of().parseHex(head(reference)));
        }
        forged.put(name);
        return wanted.replaceAll("&page-token=" + encoded(forged.array()));
    }

    private static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private interface Replacement {
        String of(MatchResult match) throws Exception;
    }

    private static String replaced(String text, Pattern pattern, Replacement replacement) throws Exception {
        StringBuilder result = new StringBuilder();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            matcher.appendReplacement(result, Matcher.quoteReplacement(replacement.of(matcher)));
        }
        return matcher.appendTail(result).toString();
    }

    /** The head of a reference, as the administrator sees it. */
    String head(String reference) throws Exception {
        return get(Caller.ADMIN, "/api/v2/trees/" + reference.replace("/", "%2F"))
                .at("/reference/hash")
                .asText();
    }

    private String id(String key) throws Exception {
        return get(Caller.ADMIN, MAIN + "/contents/" + key).at("/content/id").asText();
    }

    private String create(String type, String name, String hash) throws Exception {
        ok(send(
                Caller.ADMIN,
                new Call(
                        "POST",
                        "/api/v2/trees?type=" + type + "&name=" + name,
                        "{\"type\":\"DETACHED\",\"hash\":\"" + hash + "\"}")));
        return name;
    }

    private String commit(String branch, String message, String... operations) throws Exception {
        String path = "/api/v2/trees/" + branch.replace("/", "%2F") + "@" + head(branch) + "/history/commit";
        return ok(send(Caller.ADMIN, new Call("POST", path, commitBody(message, operations))))
                .at("/targetBranch/hash")
                .asText();
    }

    private static String commitBody(String message, String... operations) {
        return "{\"commitMeta\":{\"message\":\"" + message + "\"},\"operations\":[" + String.join(",", operations)
                + "]}";
    }

    private static String key(String text) {
        return Stream.of(text.split("\\.")).collect(Collectors.joining("\",\"", "{\"elements\":[\"", "\"]}"));
    }

    private static String namespace(String name) {
        return put(name, "{\"type\":\"NAMESPACE\"," + key(name).substring(1));
    }

    private static String put(String key, String content) {
        return "{\"type\":\"PUT\",\"key\":" + key(key) + ",\"content\":" + content + "}";
    }

    private static String delete(String key) {
        return "{\"type\":\"DELETE\",\"key\":" + key(key) + "}";
    }

    /** @param id empty for a new one */
    private static String table(String location, String id) {
        return "{\"type\":\"ICEBERG_TABLE\"" + (id.isEmpty() ? "" : ",\"id\":\"" + id + "\"")
                + ",\"metadataLocation\":\"" + location
                + "\",\"snapshotId\":1,\"schemaId\":0,\"specId\":0,\"sortOrderId\":0}";
    }
}
