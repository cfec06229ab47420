package org.anabranch.wiring;

import io.quarkus.runtime.QuarkusBindException;
import io.smallrye.config.ConfigValidationException;
import java.net.BindException;
import java.net.UnknownHostException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.anabranch.store.embedded.UnusableFolderException;
import org.anabranch.store.postgres.UnusableDatabaseException;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;

/** Says in a sentence why the service could not start, and what to do. */
final class StartFailure {

    private StartFailure() {}

    static String sentence(Throwable failure) {
        return sentence(failure, "the service could not start");
    }

    /** @param otherwise what to say before a reason that is not known here */
    static String sentence(Throwable failure, String otherwise) {
        for (Throwable cause : causes(failure).toList()) {
            String known = known(cause);
            if (known != null) {
                return known;
            }
        }
        return otherwise + ": " + root(failure);
    }

    /** What was wrong first. */
    static String root(Throwable failure) {
        Throwable root = causes(failure).reduce(failure, (outer, inner) -> inner);
        return root.getMessage() == null ? root.toString() : root.getMessage();
    }

    private static @Nullable String known(Throwable cause) {
        return switch (cause) {
            case QuarkusBindException bind ->
                notOpened(
                        bind.getPort() > 0
                                ? "port " + bind.getPort() + " of " + bind.getHost()
                                : "a port of " + bind.getHost(),
                        bind,
                        "--port",
                        "--host");
            case BindException bind ->
                notOpened(
                        "the management port, " + configured("quarkus.management.port") + " of "
                                + configured("quarkus.management.host") + ",",
                        bind,
                        "-Dquarkus.management.port=N (0 for any that is free)",
                        "-Dquarkus.management.host=ADDRESS");
            case UnknownHostException unknown ->
                "'" + unknown.getMessage().replaceAll(": .*", "")
                        + "' is no address of this machine: choose another with --host";
            case UnusableFolderException unusable -> unusable.getMessage();
            case UnusableDatabaseException unusable -> unusable.getMessage();
            case FileSystemException unreadable ->
                unreadable.getFile() + " cannot be read ("
                        + (unreadable instanceof NoSuchFileException ? "it is not there" : unreadable.getMessage())
                        + "): check the property that names it";
            case ConfigValidationException invalid ->
                IntStream.range(0, invalid.getProblemCount())
                        .mapToObj(i -> inWords(invalid.getProblem(i).getMessage()))
                        .collect(Collectors.joining("; "));
            default -> null;
        };
    }

    private static String notOpened(String port, BindException failure, String portOption, String hostOption) {
        String reason = failure.getMessage().replaceAll(".*: ", "");
        return reason.equals("Address already in use")
                ? port + " is in use by another process: stop that one, or choose another port with " + portOption
                : port + " cannot be opened (" + reason + "): choose another port with " + portOption
                        + ", or another address with " + hostOption;
    }

    /** What the configuration library says, without its codes and classes. What is not recognized stays as it is. */
    private static String inWords(String problem) {
        return problem.replaceAll("(java\\.\\S+Exception: )?SRCFG\\d+: ", "")
                .replaceFirst(
                        "^(\\S+) in .* does not map to any root$",
                        "there is no property $1; docs/configuration.md lists them all")
                .replaceFirst("^The config property (\\S+) is defined as the empty String.*", "$1 has no value")
                .replaceFirst(
                        "^The config property (\\S+) with the config value (\".*\") threw an Exception whilst being converted ",
                        "$1 cannot be $2: ")
                .replaceFirst(" to enum class \\S+,", ",");
    }

    private static String configured(String property) {
        return ConfigProvider.getConfig().getValue(property, String.class);
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, each -> each != null, Throwable::getCause);
    }
}
