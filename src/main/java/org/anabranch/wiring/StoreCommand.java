package org.anabranch.wiring;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintStream;
import org.anabranch.api.v2.ApiJson;
import org.anabranch.store.embedded.FolderInUseException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** A command that does one thing with a store, tells how it went, and ends. */
abstract class StoreCommand {

    /** The status of a command that did what it was told. */
    static final int DONE = 0;

    /** The status of one that did not. */
    static final int FAILED = 2;

    @Mixin
    final StoreOptions store = new StoreOptions();

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
            err.println("anabranch: " + (reason != null ? reason : commonReason(e)));
            return status(e);
        }
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
