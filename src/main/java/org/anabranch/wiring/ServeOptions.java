package org.anabranch.wiring;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of the program. Each stands for a property; what is not given stays as configured. */
@Command(
        name = "anabranch serve",
        description = "Starts the catalog. Every option is also a property; docs/configuration.md lists them all.",
        sortOptions = false)
final class ServeOptions {

    @Spec
    private @Nullable CommandSpec spec;

    private @Nullable Integer port;

    @Option(names = "--host", paramLabel = "ADDRESS", description = "address to listen on (127.0.0.1)")
    private @Nullable String host;

    @Option(
            names = "--store",
            paramLabel = "embedded|postgresql|memory",
            description = "where commits are kept; in memory they end with the process (embedded)")
    private AnabranchConfig.Store.@Nullable Type kind;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "this page")
    private boolean help;

    @Option(names = "--port", paramLabel = "N", description = "port of the API; 0 for any that is free (19120)")
    private void setPort(int port) {
        if (port < 0 || port > 65_535) {
            throw new ParameterException(
                    spec.commandLine(), "Invalid value for option '--port': " + port + " is not between 0 and 65535");
        }
        this.port = port;
    }

    /** The properties that the given options stand for. */
    Map<String, String> asProperties() {
        Map<String, String> properties = new LinkedHashMap<>();
        if (port != null) {
            properties.put("quarkus.http.port", port.toString());
        }
        if (host != null) {
            properties.put("quarkus.http.host", host);
        }
        if (kind != null) {
            properties.put("anabranch.store.type", kind.name().toLowerCase(Locale.ROOT));
        }
        properties.putAll(store.asProperties());
        return properties;
    }

    /** @throws CommandFailedException an option is of another store than the one in force */
    void requireUse() {
        store.requireUse(() ->
                kind != null ? kind : OfflineStore.of(Map.of()).config().store().type());
    }
}
