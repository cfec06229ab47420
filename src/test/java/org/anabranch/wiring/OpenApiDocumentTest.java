package org.anabranch.wiring;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.anabranch.api.ext.AccessApi;
import org.anabranch.api.ext.KeysApi;
import org.anabranch.api.ext.RevertsApi;
import org.anabranch.api.v2.ConfigApi;
import org.anabranch.api.v2.ReadsApi;
import org.anabranch.api.v2.ReferencesApi;
import org.anabranch.api.v2.WritesApi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The OpenAPI document that is served, the one that is checked in, and the resource interfaces are one. */
@QuarkusTest
class OpenApiDocumentTest {

    private static final List<Class<?>> RESOURCES = List.of(
            AccessApi.class,
            ConfigApi.class,
            ReferencesApi.class,
            ReadsApi.class,
            WritesApi.class,
            KeysApi.class,
            RevertsApi.class);

    private static final String SCHEMA = "#/components/schemas/";

    private JsonNode document;

    @BeforeEach
    void fetch() throws IOException {
        document = new ObjectMapper()
                .readTree(given().get("/q/openapi?format=json").asString());
    }

    @Test
    void theDocumentThatIsCheckedInIsTheOneThatIsBuiltAndServed() throws IOException {
        assertThat(Files.readString(java.nio.file.Path.of("../docs/openapi.yaml")))
                .as("docs/openapi.yaml; after a build: cp src/target/openapi/openapi.yaml docs/openapi.yaml")
                .isEqualTo(Files.readString(java.nio.file.Path.of("target/openapi/openapi.yaml")));
        assertThat(document)
                .as("the order of fields aside")
                .isEqualTo(new ObjectMapper()
                        .readTree(java.nio.file.Path.of("target/openapi/openapi.json")
                                .toFile()));
    }

    @Test
    void everyMethodOfTheResourcesIsAnOperationAndNothingElseIs() {
        Map<String, String> answers = new TreeMap<>();
        methods()
                .forEach(method -> answers.put(
                        operation(method), SCHEMA + method.getReturnType().getSimpleName()));

        Map<String, String> documented = new TreeMap<>();
        document.get("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(operation -> documented.put(
                                operation.getKey() + " " + path.getKey(),
                                operation
                                        .getValue()
                                        .at("/responses/200/content/application~1json/schema/$ref")
                                        .asText())));

        assertThat(documented).isEqualTo(answers);
    }

    @Test
    void everyParameterAndBodyIsDescribed() {
        methods().forEach(method -> {
            JsonNode operation = operationOf(method);
            Set<String> documented = new TreeSet<>();
            for (JsonNode parameter : operation.path("parameters")) {
                assertThat(parameter.path("description").asText())
                        .as("%s: %s", operation(method), parameter)
                        .isNotEmpty();
                documented.add(parameter.get("in").asText() + " "
                        + parameter.get("name").asText());
            }
            assertThat(documented).as(operation(method)).containsAll(parameters(method));
            assertThat(operation
                            .at("/requestBody/content/application~1json/schema/$ref")
                            .asText())
                    .as(operation(method))
                    .isEqualTo(body(method).map(type -> SCHEMA + type).findAny().orElse(""));
        });
    }

    @Test
    void everyReferenceLeadsSomewhere() {
        List<String> references = document.findValuesAsText("$ref");
        assertThat(references)
                .isNotEmpty()
                .allSatisfy(reference -> assertThat(
                                document.at(reference.substring(1)).isMissingNode())
                        .as(reference)
                        .isFalse());
        Set<String> unused = new TreeSet<>();
        document.at("/components/schemas").fieldNames().forEachRemaining(name -> unused.add(SCHEMA + name));
        unused.removeAll(references);
        assertThat(unused).isEmpty();
    }

    @Test
    void choicesSayWhichFieldDecides() {
        for (String choice : List.of("Content", "Operation", "RepositoryConfig", "ErrorBody.ErrorDetails")) {
            JsonNode schema = document.at("/components/schemas").get(choice);
            assertThat(schema.at("/discriminator/propertyName").asText()).isEqualTo("type");
            Set<String> variants = StreamSupport.stream(schema.get("oneOf").spliterator(), false)
                    .map(variant -> variant.get("$ref").asText())
                    .collect(Collectors.toSet());
            schema.at("/discriminator/mapping").properties().forEach(variant -> {
                String reference = variant.getValue().asText();
                assertThat(variants).contains(reference);
                assertThat(document.at(reference.substring(1) + "/properties/type/const")
                                .asText())
                        .isEqualTo(variant.getKey());
            });
        }
    }

    @Test
    void peopleCanReadIt() {
        given().get("/q/swagger-ui/").then().statusCode(200).contentType("text/html");
    }

    private static Stream<Method> methods() {
        return RESOURCES.stream().flatMap(resource -> Stream.of(resource.getMethods()));
    }

    private JsonNode operationOf(Method method) {
        String[] words = operation(method).split(" ");
        return document.get("paths").get(words[1]).get(words[0]);
    }

    /** The HTTP method in lower case and the path. */
    private static String operation(Method method) {
        String verb = Stream.of(method.getAnnotations())
                .map(annotation -> annotation.annotationType().getAnnotation(HttpMethod.class))
                .filter(found -> found != null)
                .findFirst()
                .orElseThrow()
                .value();
        Path below = method.getAnnotation(Path.class);
        String base = method.getDeclaringClass().getAnnotation(Path.class).value();
        return verb.toLowerCase(Locale.ROOT) + " " + base + (below == null ? "" : "/" + below.value());
    }

    private static Set<String> parameters(Method method) {
        Set<String> names = new TreeSet<>();
        for (Parameter parameter : method.getParameters()) {
            if (parameter.isAnnotationPresent(PathParam.class)) {
                names.add("path " + parameter.getAnnotation(PathParam.class).value());
            }
            if (parameter.isAnnotationPresent(QueryParam.class)) {
                names.add("query " + parameter.getAnnotation(QueryParam.class).value());
            }
        }
        return names;
    }

    private static Stream<String> body(Method method) {
        return Stream.of(method.getParameters())
                .filter(parameter -> Stream.of(parameter.getAnnotations())
                        .map(Annotation::annotationType)
                        .noneMatch(type -> type.getName().startsWith("jakarta.")))
                .map(parameter -> parameter.getType().getSimpleName());
    }
}
