package org.anabranch.rest.openapi;

import io.quarkus.smallrye.openapi.OpenApiFilter;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import java.lang.annotation.Annotation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.anabranch.api.v2.ApiJson;
import org.anabranch.api.v2.ErrorBody;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem.HttpMethod;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;
import org.eclipse.microprofile.openapi.models.security.SecurityScheme;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.IndexView;

/**
 * Finishes what the framework has read off the resource interfaces: its scanner knows paths, parameters and words, but not what
 * Jackson makes of the bodies. Runs while the service is built, never when it runs.
 */
@OpenApiFilter(stages = OpenApiFilter.RunStage.BUILD)
public final class DocumentFilter implements OASFilter {

    private static final String TOKEN = "token";

    private static final List<Class<? extends Annotation>> OF_PARAMETERS =
            List.of(PathParam.class, QueryParam.class, HeaderParam.class, Context.class);

    private final IndexView classes;

    public DocumentFilter(IndexView classes) {
        this.classes = classes;
    }

    @Override
    public void filterOpenAPI(OpenAPI document) {
        Map<String, Parameter> shared = new HashMap<>();
        document.getComponents().getParameters().values().forEach(parameter -> shared.put(place(parameter), parameter));
        document.getPaths()
                .getPathItems()
                .values()
                .forEach(path -> path.getOperations().forEach((method, operation) -> {
                    List<Parameter> parameters =
                            operation.getParameters() == null ? List.of() : operation.getParameters();
                    parameters.stream()
                            .filter(parameter -> parameter.getDescription() == null)
                            .forEach(parameter -> describe(parameter, shared.get(place(parameter))));
                    addRefusals(method, operation, parameters);
                }));
        document.getComponents().setParameters(null);
        document.getComponents()
                .addSecurityScheme(
                        TOKEN,
                        OASFactory.createSecurityScheme()
                                .type(SecurityScheme.Type.HTTP)
                                .scheme("bearer")
                                .description(
                                        "A token of the provider that the server is set to, where it asks for one"));
        // Either will do, because it depends on the server.
        document.setSecurity(List.of(
                OASFactory.createSecurityRequirement(),
                OASFactory.createSecurityRequirement().addScheme(TOKEN)));
        document.getComponents().setSchemas(schemas());
    }

    /** Everything can be refused, and how follows from what a request names and what it does. */
    private static void addRefusals(HttpMethod method, Operation operation, List<Parameter> parameters) {
        refuse(operation, "400", "BadRequest");
        refuse(operation, "401", "Unauthorized");
        boolean namesInPath = parameters.stream().anyMatch(parameter -> parameter.getIn() == Parameter.In.PATH);
        boolean ofSettings = operation.getTags().contains("config");
        boolean namesInBody = operation.getRequestBody() != null && !ofSettings;
        if (namesInPath || operation.getRequestBody() != null || ofSettings && !parameters.isEmpty()) {
            refuse(operation, "403", "Forbidden");
        }
        if (namesInPath || namesInBody) {
            refuse(operation, "404", "NotFound");
        }
        refuse(operation, "406", "NotAcceptable");
        if (method != HttpMethod.GET && !operation.getTags().contains("reads")) {
            refuse(operation, "409", "Conflict");
        }
        if (operation.getRequestBody() != null) {
            refuse(operation, "413", "TooLarge");
            refuse(operation, "415", "UnsupportedMediaType");
        }
        if (parameters.stream().anyMatch(parameter -> parameter.getName().equals("branch"))) {
            refuse(operation, "429", "Busy");
        }
        refuse(operation, "503", "Unavailable");
    }

    private static void refuse(Operation operation, String status, String response) {
        operation
                .getResponses()
                .addAPIResponse(status, OASFactory.createAPIResponse().ref(response));
    }

    private static void describe(Parameter parameter, Parameter shared) {
        if (shared == null) {
            throw new IllegalStateException("Nothing describes the parameter " + place(parameter));
        }
        parameter.setDescription(shared.getDescription());
        parameter.setExample(shared.getExample());
        if (shared.getSchema() != null) {
            parameter.setSchema(shared.getSchema());
        } else if (parameter.getSchema() == null) {
            parameter.setSchema(OASFactory.createSchema().addType(Schema.SchemaType.STRING));
        }
        if (Boolean.TRUE.equals(shared.getRequired())) {
            parameter.setRequired(true);
        }
    }

    private static String place(Parameter parameter) {
        return parameter.getName() + " in " + parameter.getIn();
    }

    /** The schemas of everything that the resources take and answer. */
    private Map<String, Schema> schemas() {
        BodySchemas schemas = new BodySchemas(ApiJson.newMapper());
        schemas.addAnswer(ErrorBody.class);
        classes.getAnnotations(Path.class).stream()
                .map(AnnotationInstance::target)
                .filter(target -> target.kind() == AnnotationTarget.Kind.CLASS)
                .map(AnnotationTarget::asClass)
                .filter(ClassInfo::isInterface)
                .flatMap(resource -> Stream.of(loaded(resource).getMethods()))
                .forEach(method -> {
                    schemas.addAnswer(method.getReturnType());
                    Stream.of(method.getParameters())
                            .filter(parameter -> OF_PARAMETERS.stream().noneMatch(parameter::isAnnotationPresent))
                            .forEach(body -> schemas.addRequest(body.getType()));
                });
        return schemas.byName();
    }

    private static Class<?> loaded(ClassInfo resource) {
        try {
            return Class.forName(
                    resource.name().toString(), false, Thread.currentThread().getContextClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("A resource in the index is not in the class path", e);
        }
    }
}
