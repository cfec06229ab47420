package org.anabranch.wiring;

import jakarta.ws.rs.Path;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.anabranch.api.ext.AccessApi;
import org.anabranch.api.ext.KeysApi;
import org.anabranch.api.ext.RevertsApi;
import org.anabranch.api.v2.ConfigApi;
import org.anabranch.api.v2.ReadsApi;
import org.anabranch.api.v2.ReferencesApi;
import org.anabranch.api.v2.WritesApi;

/** The paths of both ports, as metrics label requests by them: with names of parameters in the place of what clients chose. */
final class RequestPaths {

    private static final List<Class<?>> APIS = List.of(
            AccessApi.class,
            ConfigApi.class,
            KeysApi.class,
            ReadsApi.class,
            ReferencesApi.class,
            RevertsApi.class,
            WritesApi.class);

    /** What the framework calls those that are none of ours, and paths beside the API's. */
    private static final Set<String> OTHERS = Set.of(
            "NOT_FOUND",
            "REDIRECTION",
            "root",
            "/cors-preflight",
            "/q/health",
            "/q/health/live",
            "/q/health/ready",
            "/q/health/started",
            "/q/metrics",
            "/q/openapi",
            AdminRoutes.CHECK,
            AdminRoutes.EXPORT,
            AdminRoutes.SWEEP);

    private static final Set<String> KNOWN = Stream.concat(APIS.stream().flatMap(RequestPaths::paths), OTHERS.stream())
            .collect(Collectors.toUnmodifiableSet());

    private RequestPaths() {}

    /** Whether a label is one of them, of which there are as many as there are. */
    static boolean isKnown(String label) {
        return KNOWN.contains(label);
    }

    private static Stream<String> paths(Class<?> api) {
        String base = api.getAnnotation(Path.class).value();
        return Arrays.stream(api.getMethods())
                .map(method -> base + below(method))
                .distinct();
    }

    private static String below(Method method) {
        Path path = method.getAnnotation(Path.class);
        return path == null ? "" : "/" + path.value();
    }
}
