package org.anabranch.cli.fuzz;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The OpenAPI document: what may be asked, and what an answer must look like. */
final class ApiDocument {

    private static final String JSON_CONTENT = "/content/application~1json/schema";
    private static final SchemaValidatorsConfig STRICT =
            SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build();

    /** An operation; paths are templates such as {@code /api/v2/trees/{ref}}. */
    record Operation(String method, String path, JsonNode description) {

        JsonNode parameters() {
            return description.path("parameters");
        }

        /** Missing if the operation takes no body. */
        JsonNode body() {
            return description.at("/requestBody" + JSON_CONTENT);
        }
    }

    private final ObjectMapper json = new ObjectMapper();
    private final JsonNode document;
    private final ObjectNode closed;
    private final List<Operation> operations = new ArrayList<>();
    private final Map<String, JsonSchema> schemas = new HashMap<>();

    ApiDocument(String text) throws JsonProcessingException {
        document = json.readTree(text);
        closed = document.get("components").deepCopy();
        closed.get("schemas").forEach(ApiDocument::close);
        document.get("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(operation -> operations.add(new Operation(
                                operation.getKey().toUpperCase(Locale.ROOT), path.getKey(), operation.getValue()))));
    }

    /** Answers have no fields but those that the document shows. */
    private static void close(JsonNode schema) {
        if (schema.has("properties")) {
            ((ObjectNode) schema).put("additionalProperties", false);
        }
    }

    List<Operation> operations() {
        return operations;
    }

    /** The schema that a reference such as {@code #/components/schemas/Content} leads to; others are themselves. */
    JsonNode resolved(JsonNode schema) {
        return schema.has("$ref") ? document.at(schema.get("$ref").asText().substring(1)) : schema;
    }

    /** What is wrong with an answer to an operation; empty if nothing is. */
    Optional<String> problem(Operation operation, int status, String body) {
        JsonNode response = resolved(operation.description().at("/responses/" + status));
        return response.isMissingNode()
                ? Optional.of("the document knows no answer with status " + status)
                : mismatch(response.at(JSON_CONTENT), body);
    }

    /** What is wrong with an error, whatever it answers; empty if nothing is. */
    Optional<String> errorProblem(String body) {
        return mismatch(json.createObjectNode().put("$ref", "#/components/schemas/ErrorBody"), body);
    }

    private Optional<String> mismatch(JsonNode schema, String body) {
        JsonNode read;
        try {
            read = json.readTree(body);
        } catch (JsonProcessingException e) {
            return Optional.of("the body is not JSON: " + e.getOriginalMessage());
        }
        return schemas.computeIfAbsent(schema.toString(), text -> compiled(schema)).validate(read).stream()
                .map(Object::toString)
                .findFirst();
    }

    private JsonSchema compiled(JsonNode schema) {
        ObjectNode root = schema.deepCopy();
        root.set("components", closed);
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(root, STRICT);
    }
}
