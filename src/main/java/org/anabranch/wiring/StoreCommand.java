package org.anabranch.wiring;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.anabranch.api.v2.ApiJson;
import org.anabranch.store.embedded.FolderInUseException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that does one thing with a store, tells how it went, and ends. */
abstract class StoreCommand {

    /** The status of a command that did what it was told. */
    static final int DONE = 0;

    /** The status of one that did not. */
    static final int FAILED = 2;

    private static final List<String> KINDS = List.of("embedded", "postgresql");

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    private @Nullable String kind;

    @Option(
            names = "--report",
            order = 1,
            paramLabel = "FILE",
            description = "where the report goes as JSON; - for the output")
    private @Nullable String report;

    @Option(
            names = {"-h", "--help"},
            order = 2,
            usageHelp = true,
            description = "this page")
    private boolean help;

    final ObjectMapper json = ApiJson.newMapper();
    final PrintStream err;
    private final PrintStream out;

    StoreCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** What is in the memory of a service no other process can reach. */
    @Option(
            names = "--store",
            order = -2,
            paramLabel = "embedded|postgresql",
            description = "where commits are kept (embedded)")
    private void setKind(String given) {
        String lowerCase = given.toLowerCase(Locale.ROOT);
        if (!KINDS.contains(lowerCase)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "Invalid value for option '--store': '" + given + "' is neither embedded nor postgresql"
                            + (lowerCase.equals("memory")
                                    ? ", and no other process reaches the memory of a service"
                                    : ""));
        }
        kind = lowerCase;
    }

    /** The properties that the options for the store stand for. */
    final Map<String, String> storeProperties() {
        Map<String, String> properties = new LinkedHashMap<>(store.asProperties());
        if (kind != null) {
            properties.put("anabranch.store.type", kind);
        }
        return properties;
    }

    /**
     * The store that options and properties name.
     *
     * @param more properties that other options of the command stand for
     * @throws CommandFailedException an option is of another store than that
     */
    final OfflineStore offlineStore(Map<String, String> more) {
        Map<String, String> properties = storeProperties();
        properties.putAll(more);
        OfflineStore offline = OfflineStore.of(properties);
        store.requireUse(() -> offline.config().store().type());
        return offline;
    }

    /** Does what the options say, and returns the status that the process shall end with. */
    abstract int run() throws Exception;

    /** What the command does, as a verb and as a thing: {@code check} for "the check could not run". */
    abstract String verb();

    /** Why a run failed and what to do, in a sentence; null for what is not special to this command. */
    abstract @Nullable String reason(Exception failure);

    /** The status after a failure. */
    int status(Exception failure) {
        return FAILED;
    }

    /** Reads the options, runs the command and returns the status that the process shall end with. */
    final int run(String[] args) {
        CommandLine commandLine = new CommandLine(this).setCaseInsensitiveEnumValuesAllowed(true);
        try {
            commandLine.parseArgs(args);
            if (commandLine.isUsageHelpRequested()) {
                commandLine.usage(out);
                return DONE;
            }
            return run();
        } catch (Exception e) {
            String reason = reason(e);
            err.println("anabranch: " + printable(reason != null ? reason : commonReason(e)));
            return status(e);
        }
    }

    /** A text that may be somebody else's, without characters that a terminal would obey. */
    static String printable(String text) {
        return text.replaceAll("[\\x00-\\x1f\\x7f-\\x9f&&[^\n]]", "?");
    }

    private String commonReason(Exception failure) {
        return switch (failure) {
            case ParameterException wrong -> wrong.getMessage() + " (--help lists the options)";
            case CommandFailedException failed -> String.valueOf(failed.getMessage());
            case FolderInUseException held ->
                held.getMessage() + " Beside a running service, " + verb()
                        + " with --service http://127.0.0.1:9000 (its management port).";
            default -> StartFailure.sentence(failure, "the " + verb() + " could not run");
        };
    }

    /** Writes the report where it shall go, and returns where to tell people of it. */
    final PrintStream reported(Object done) {
        ReportFile file = new ReportFile(report);
        file.write(done, json, out);
        return file.isOutput() ? err : out;
    }
}
