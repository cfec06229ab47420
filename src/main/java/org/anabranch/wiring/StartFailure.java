package org.anabranch.wiring;

import io.quarkus.runtime.QuarkusBindException;
import io.smallrye.config.ConfigValidationException;
import java.net.BindException;
import java.net.UnknownHostException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.anabranch.store.embedded.UnusableFolderException;
import org.jspecify.annotations.Nullable;

/** Says in a sentence why the service could not start, and what to do. */
final class StartFailure {

    private static final String CAUSE_CODE = "^SRCFG\\d+: ";

    private StartFailure() {}

    static String sentence(Throwable failure) {
        for (Throwable cause : causes(failure).toList()) {
            String known = known(cause);
            if (known != null) {
                return known;
            }
        }
        Throwable root = causes(failure).reduce(failure, (outer, inner) -> inner);
        return "the service could not start: " + (root.getMessage() == null ? root.toString() : root.getMessage());
    }

    private static @Nullable String known(Throwable cause) {
        return switch (cause) {
            case QuarkusBindException bind ->
                "port " + bind.getPort() + " of " + bind.getHost()
                        + " is in use by another process: stop that one, or choose another port with --port";
            case BindException bind ->
                "the management port is in use by another process, or its address is not one of this machine: choose others"
                        + " with -Dquarkus.management.port and -Dquarkus.management.host";
            case UnknownHostException unknown ->
                "'" + unknown.getMessage().replaceAll(": .*", "")
                        + "' is no address of this machine: choose another with --host";
            case UnusableFolderException unusable -> unusable.getMessage();
            case ConfigValidationException invalid ->
                IntStream.range(0, invalid.getProblemCount())
                        .mapToObj(i -> invalid.getProblem(i).getMessage().replaceAll(CAUSE_CODE, ""))
                        .collect(Collectors.joining("; "));
            default -> null;
        };
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, each -> each != null, Throwable::getCause);
    }
}
