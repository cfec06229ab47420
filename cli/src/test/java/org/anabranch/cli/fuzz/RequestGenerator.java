package org.anabranch.cli.fuzz;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.anabranch.cli.fuzz.ApiDocument.Operation;

/**
 * Makes requests from the document: most of them what it says, with values that earlier answers held, so that many are right; the
 * others hostile in one place or all over. The same seed and answers give the same requests.
 */
final class RequestGenerator {

    private static final int REMEMBERED = 100;
    private static final int MAX_DEPTH = 8;

    private static final List<String> WORDS = List.of("a", "b", "c", "sales", "eu", "orders");

    private static final List<String> HOSTILE = List.of(
            "",
            " ",
            ".",
            "..",
            "../../etc/passwd",
            "/",
            "\\",
            "%",
            "%2F",
            "a b",
            "a.b.c",
            "\0",
            "\u001d",
            "\u007f",
            "\u0085",
            "gr\u00fcn",
            "\ud83d\ude00",
            "\ufeff",
            "\u202e",
            "null",
            "true",
            "0",
            "-1",
            "2147483648",
            "9223372036854775808",
            "1e400",
            "NaN",
            "{}",
            "[]",
            "<script>",
            "' OR 1=1 --",
            "${jndi:ldap://x}",
            ".a*.b",
            ".*",
            "*{",
            "-",
            "HEAD",
            "DETACHED",
            "x".repeat(501),
            "a.".repeat(30),
            "~^*@");

    private static final List<String> FILTERS = List.of(
            "true",
            "false",
            "entry.contentType == 'ICEBERG_TABLE'",
            "entry.encodedKey.startsWith('sales.')",
            "size(entry.keyElements) == 1",
            "key.name == 'orders'",
            "commit.message.contains('m')",
            "commit.author != 'nobody'",
            "operations.exists(op, op.type == 'PUT')",
            "ref.name.matches('^m.*')",
            "refType == 'BRANCH'",
            "refMeta.numTotalCommits > 1",
            "entry.keyElements[99] == 'a'",
            "1 / 0 == 1",
            "entry.name ==",
            "size(entry.name)",
            "(".repeat(300),
            "[1,2,3].all(x, [1,2,3].all(y, [1,2].all(z, true)))",
            "'" + "a".repeat(4_100) + "'");

    private static final List<String> STEPS = List.of(
            "", "", "", "~1", "~2", "^1", "^2", "~1^1", "*2026-01-31T12:00:00Z", "*1", "~0", "~99999999999", "^", "*x");

    /** A request; the operation is null where a hostile path may lead anywhere. */
    record Request(Operation operation, String method, String path, Map<String, String> headers, byte[] body) {}

    private final ApiDocument document;
    private final Random random;
    private final ObjectMapper json = new ObjectMapper();
    private final List<String> branches = new ArrayList<>(List.of("main"));
    private final List<String> hashes =
            new ArrayList<>(List.of("2e1cfa82b035c26cbbbdae632cea070514eb8b773f616aaeaf668e2f0be8f10d"));
    private final List<String> ids = new ArrayList<>(List.of("00000000-0000-0000-0000-000000000000"));
    private final List<String> tokens = new ArrayList<>(List.of("token"));
    private final Map<String, String> heads = new LinkedHashMap<>();

    RequestGenerator(ApiDocument document, Random random) {
        this.document = document;
        this.random = random;
    }

    /** Takes up what an answer holds, for later requests. */
    void learn(String answer) {
        try {
            learn(json.readTree(answer));
        } catch (JsonProcessingException notJson) {
            // Refused where answers are checked.
        }
    }

    private void learn(JsonNode node) {
        node.forEach(this::learn);
        if (node.path("type").asText().equals("BRANCH") && node.path("name").isTextual()) {
            remember(branches, node.get("name").asText());
            heads.put(node.get("name").asText(), node.path("hash").asText());
        }
        remember(hashes, node.path("hash").asText());
        remember(hashes, node.path("resultantTargetHash").asText());
        remember(ids, node.path("id").asText());
        remember(tokens, node.path("token").asText());
    }

    private void remember(List<String> known, String value) {
        if (!value.isEmpty() && !value.equals("null") && !known.contains(value)) {
            if (known.size() == REMEMBERED) {
                // The first one always exists.
                known.remove(1 + random.nextInt(REMEMBERED - 1));
            }
            known.add(value);
        }
    }

    Request next() {
        if (chance(3)) {
            return rawRequest();
        }
        Operation operation = any(document.operations());
        boolean certain = true;
        String path = operation.path();
        List<String> query = new ArrayList<>();
        Map<String, String> headers = headers();
        for (JsonNode parameter : operation.parameters()) {
            String name = parameter.get("name").asText();
            switch (parameter.get("in").asText()) {
                case "path" -> {
                    String value = parameter(name, parameter);
                    // Segments of dots, and none, lead elsewhere.
                    certain &= !value.isEmpty() && !value.equals(".") && !value.equals("..");
                    path = path.replace("{" + name + "}", encoded(value));
                }
                case "query" -> {
                    int times = parameter.path("required").asBoolean() ? 1 : chance(30) ? 1 : 0;
                    for (int i = 0; i < times + (chance(3) ? 1 : 0); i++) {
                        query.add(encoded(name) + "=" + encoded(parameter(name, parameter)));
                    }
                }
                case "header" -> {
                    if (chance(10)) {
                        headers.put(name, any(List.of("2.2.0", "somebody, else", "1", "x".repeat(300))));
                    }
                }
                default -> throw new IllegalStateException("A parameter in " + parameter.get("in"));
            }
        }
        byte[] body = null;
        if (!operation.body().isMissingNode() && !chance(2)) {
            body = body(operation.body());
            headers.put("Content-Type", chance(2) ? "text/plain" : "application/json");
            if (chance(1)) {
                headers.put("Content-Encoding", any(List.of("gzip", "deflate", "br")));
            }
        }
        return new Request(
                certain ? operation : null,
                operation.method(),
                path + (query.isEmpty() ? "" : "?" + String.join("&", query)),
                headers,
                body);
    }

    private Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(
                "Accept",
                chance(2) ? any(List.of("text/html", "*/*", "nonsense", "application/*")) : "application/json");
        if (chance(50)) {
            headers.put("Nessie-Client-Spec", any(List.of("2.2.0", "2", "1.0", "x")));
        }
        if (chance(10)) {
            headers.put("Authorization", any(List.of("Bearer x.y.z", "Bearer ", "Basic ====", "x".repeat(2_000))));
        }
        if (chance(5)) {
            headers.put("Idempotency-Key", any(List.of("k1", "k2", "k3", "-", "x".repeat(300))));
        }
        return headers;
    }

    /** A path that was never encoded, or encoded badly. */
    private Request rawRequest() {
        String path = any(List.of("/api/v2", "/api/v2/trees", "/api/ext/v1/trees", "/api/v2/config", "", "/q"));
        for (int i = random.nextInt(6); i > 0; i--) {
            path += "/"
                    + any(List.of(
                            "main",
                            "main@",
                            "..",
                            ".",
                            "",
                            "%2e%2e",
                            "%",
                            "%zz",
                            "%c0%ae",
                            "%00",
                            "a;b=c",
                            "fe/x@",
                            "~1",
                            "contents",
                            "entries",
                            "history",
                            "diff",
                            "*",
                            "a%2",
                            "%F0%9F",
                            "x".repeat(3_000),
                            "?",
                            "@",
                            "trees",
                            "commit",
                            "\\",
                            "|",
                            "{",
                            "^",
                            "<",
                            "gr\u00fcn"));
        }
        String method = any(List.of("GET", "GET", "GET", "POST", "PUT", "DELETE", "PATCH", "get", "TRACE"));
        byte[] body = method.startsWith("P") ? "{}".getBytes(StandardCharsets.UTF_8) : null;
        Map<String, String> headers = headers();
        if (body != null) {
            headers.put("Content-Type", "application/json");
        }
        return new Request(null, method, path.isEmpty() ? "/" : path, headers, body);
    }

    private String parameter(String name, JsonNode description) {
        if (chance(6)) {
            return any(HOSTILE);
        }
        return switch (name) {
            case "ref", "from-ref", "to-ref" -> reference();
            case "branch" -> branchAtHash();
            case "key", "min-key", "max-key", "prefix-key", "parent-key" -> String.join(".", elements());
            case "filter" -> any(FILTERS);
            case "page-token" -> chance(30) ? damaged(any(tokens)) : any(tokens);
            case "limit-hash" -> any(hashes) + any(STEPS);
            case "max-records" -> any(List.of("1", "2", "3", "50", "0", "-1", "x", "2147483648"));
            case "name" -> "b" + random.nextInt(30);
            default -> simple(document.resolved(description.path("schema")));
        };
    }

    private String simple(JsonNode schema) {
        JsonNode value = value(schema.has("items") ? schema.get("items") : schema, "", 0);
        return value.isTextual() ? value.asText() : value.toString();
    }

    private String reference() {
        return switch (random.nextInt(6)) {
            case 0 -> "-";
            case 1 -> "@" + any(hashes) + any(STEPS);
            case 2 -> any(branches) + "@" + any(hashes) + any(STEPS);
            case 3 -> damaged(any(branches) + "@" + any(hashes));
            default -> any(branches) + (chance(30) ? any(STEPS) : "");
        };
    }

    private String branchAtHash() {
        String branch = any(branches);
        return branch + "@" + (chance(80) ? heads.getOrDefault(branch, hashes.get(0)) : any(hashes))
                + (chance(5) ? any(STEPS) : "");
    }

    private List<String> elements() {
        return random.ints(1 + random.nextInt(3), 0, WORDS.size())
                .mapToObj(WORDS::get)
                .toList();
    }

    private byte[] body(JsonNode schema) {
        String text = value(schema, "", 0).toString();
        if (chance(8)) {
            text = switch (random.nextInt(6)) {
                case 0 -> "";
                case 1 -> "null";
                case 2 -> "[".repeat(5_000);
                case 3 -> text + text;
                case 4 -> "{\"a\":" + "9".repeat(2_000) + "}";
                default -> damaged(text);
            };
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (chance(1) && bytes.length > 0) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    /** A value as the schema has it, or, rarely, anything. */
    private JsonNode value(JsonNode given, String field, int depth) {
        JsonNode schema = document.resolved(given);
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        if (chance(1) || depth > MAX_DEPTH) {
            return any(List.of(
                    nodes.nullNode(),
                    nodes.textNode(any(HOSTILE)),
                    nodes.numberNode(random.nextLong()),
                    nodes.booleanNode(true),
                    nodes.arrayNode(),
                    nodes.objectNode(),
                    nodes.numberNode(1.5)));
        }
        if (schema.has("const")) {
            return schema.get("const");
        }
        for (String choice : List.of("oneOf", "anyOf", "enum")) {
            if (schema.has(choice)) {
                JsonNode chosen =
                        schema.get(choice).get(random.nextInt(schema.get(choice).size()));
                return choice.equals("enum") ? chosen : value(chosen, field, depth + 1);
            }
        }
        JsonNode types = schema.path("type");
        String type = types.isArray() ? types.get(random.nextInt(types.size())).asText() : types.asText();
        return switch (type) {
            case "object" -> object(schema, depth);
            case "array" -> array(schema, field, depth);
            case "string" -> nodes.textNode(text(schema, field));
            case "integer" -> nodes.numberNode(chance(5) ? random.nextLong() : random.nextInt(3));
            case "boolean" -> nodes.booleanNode(random.nextBoolean());
            default -> nodes.nullNode();
        };
    }

    private JsonNode object(JsonNode schema, int depth) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        List<String> required = new ArrayList<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        schema.path("properties").properties().forEach(property -> {
            if (required.contains(property.getKey()) ? !chance(1) : chance(15)) {
                object.set(property.getKey(), value(property.getValue(), property.getKey(), depth + 1));
            }
        });
        if (schema.path("additionalProperties").isObject() && chance(50)) {
            object.set(any(WORDS), value(schema.get("additionalProperties"), "", depth + 1));
        }
        if (chance(1)) {
            object.put("unknown", "field");
        }
        return object;
    }

    private JsonNode array(JsonNode schema, String field, int depth) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        if (field.equals("elements")) {
            (chance(3) ? List.of(any(HOSTILE)) : elements()).forEach(array::add);
            return array;
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            array.add(value(schema.get("items"), field, depth + 1));
        }
        return array;
    }

    private String text(JsonNode schema, String field) {
        if (chance(3)) {
            return any(HOSTILE);
        }
        if (schema.path("format").asText().equals("uuid")) {
            return any(ids);
        }
        if (schema.path("format").asText().equals("date-time")) {
            return any(List.of("2026-01-31T12:00:00Z", "2026-01-31T12:00:00.123456789+02:00", "0000-00-00T00:00:00Z"));
        }
        return switch (field) {
            case "hash", "fromHash", "hashesToTransplant" -> any(hashes) + (chance(10) ? any(STEPS) : "");
            case "fromRefName", "name" -> any(branches);
            case "newFilesGracePeriod" -> any(List.of("PT3H", "P1D", "PT0,5S", "P"));
            case "defaultCutoffPolicy" -> any(List.of("NONE", "10", "P30D", "2026-01-31T12:00:00Z", "soon"));
            default -> any(WORDS) + random.nextInt(3);
        };
    }

    /** One character lost, doubled or another. */
    private String damaged(String text) {
        if (text.isEmpty()) {
            return "x";
        }
        int at = random.nextInt(text.length());
        return text.substring(0, at)
                + any(List.of(
                        "", "\"", "\0", "}", "%", text.substring(at, at + 1).repeat(2)))
                + text.substring(at + 1);
    }

    private static String encoded(String value) {
        return value.codePoints()
                .mapToObj(Character::toString)
                .map(character ->
                        URLEncoder.encode(character, StandardCharsets.UTF_8).replace("+", "%20"))
                .collect(Collectors.joining());
    }

    private <T> T any(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }
}
