package org.anabranch.wiring;

import io.quarkus.runtime.QuarkusBindException;
import java.util.stream.Stream;

/** Says in one sentence why the service could not start. */
final class StartFailure {

    private StartFailure() {}

    static String sentence(Throwable failure) {
        for (Throwable cause : causes(failure).toList()) {
            if (cause instanceof QuarkusBindException bind) {
                return "port " + bind.getPort() + " of " + bind.getHost()
                        + " cannot be taken, because another process has it: stop that one, or choose another port with"
                        + " --port (for the management port, -Dquarkus.management.port)";
            }
        }
        Throwable root = causes(failure).reduce(failure, (outer, inner) -> inner);
        return "the service could not start: " + (root.getMessage() == null ? root.toString() : root.getMessage());
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, each -> each != null, Throwable::getCause);
    }
}
