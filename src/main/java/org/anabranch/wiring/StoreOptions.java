package org.anabranch.wiring;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.anabranch.wiring.AnabranchConfig.Store.Type;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say where a store is. Which kinds of it there are to choose from is the command's. */
final class StoreOptions {

    private static final List<String> OF_EMBEDDED = List.of("--data");
    private static final List<String> OF_POSTGRESQL = List.of("--url", "--user", "--password", "--password-file");

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    private @Nullable Path data;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "database of the store on PostgreSQL: jdbc:postgresql://HOST:PORT/DATABASE")
    private @Nullable String url;

    @Option(names = "--user", paramLabel = "NAME", description = "user of that database")
    private @Nullable String user;

    @Option(
            names = "--password",
            paramLabel = "TEXT",
            description = "password of that user; other users of the machine can see it here")
    private @Nullable String password;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "file with that password, read anew for each connection")
    private @Nullable Path passwordFile;

    /** An empty name, as of a variable without a value, would be the folder that the program was started in. */
    @Option(names = "--data", paramLabel = "DIR", description = "folder of the embedded store (below your data home)")
    private void setData(Path data) {
        if (data.toString().isBlank()) {
            throw new ParameterException(
                    spec.commandLine(), "Invalid value for option '--data': '" + data + "' names no folder");
        }
        this.data = data;
    }

    /** The properties that the given options stand for. */
    Map<String, String> asProperties() {
        Map<String, String> properties = new LinkedHashMap<>();
        if (data != null) {
            properties.put("anabranch.store.path", data.toAbsolutePath().toString());
        }
        if (url != null) {
            properties.put("anabranch.store.postgresql.url", url);
        }
        if (user != null) {
            properties.put("anabranch.store.postgresql.user", user);
        }
        if (password != null) {
            properties.put("anabranch.store.postgresql.password", password);
        }
        if (passwordFile != null) {
            properties.put(
                    "anabranch.store.postgresql.password-file",
                    passwordFile.toAbsolutePath().toString());
        }
        return properties;
    }

    /**
     * Demands that the given options are of the store in force, whatever chose that: those of another one would say nothing. Properties
     * of other stores may stay where they are.
     *
     * @param inForce asked only if an option is given
     * @throws CommandFailedException an option is of another store
     */
    void requireUse(Supplier<Type> inForce) {
        if (asProperties().isEmpty()) {
            return;
        }
        Type chosen = inForce.get();
        requireNone(OF_EMBEDDED, Type.EMBEDDED, chosen);
        requireNone(OF_POSTGRESQL, Type.POSTGRESQL, chosen);
    }

    private void requireNone(List<String> options, Type kind, Type chosen) {
        List<String> given = options.stream()
                .filter(spec.commandLine().getParseResult()::hasMatchedOption)
                .toList();
        if (kind != chosen && !given.isEmpty()) {
            boolean isOne = given.size() == 1;
            throw new CommandFailedException(
                    String.join(", ", given) + (isOne ? " is" : " are") + " for the store '" + text(kind)
                            + "', and the one in force is '" + text(chosen)
                            + "' (anabranch.store.type): choose --store " + text(kind) + ", or leave "
                            + (isOne ? "it" : "them") + " out",
                    null);
        }
    }

    private static String text(Type kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
