package org.anabranch.wiring;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.io.PrintStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The program: turns options into configuration and runs the service until it is told to end, or one command. */
@QuarkusMain
public final class Main {

    private Main() {}

    /**
     * Ends with 0 after an orderly end, 1 if the service could not start, 2 if it was called wrongly. The commands
     * {@code check} and {@code sweep} have their own statuses, see {@link CheckCommand} and {@link SweepCommand}.
     */
    public static void main(String[] args) {
        if (args.length > 0 && args[0].equals("check")) {
            System.exit(CheckCommand.run(Arrays.copyOfRange(args, 1, args.length), System.out, System.err));
        }
        if (args.length > 0 && args[0].equals("sweep")) {
            System.exit(SweepCommand.run(Arrays.copyOfRange(args, 1, args.length), System.out, System.err));
        }
        ServeOptions options = new ServeOptions();
        CommandLine commandLine = commandLine(options);
        try {
            commandLine.parseArgs(args);
        } catch (ParameterException e) {
            fail(e.getMessage() + " (--help lists the options)", 2);
        }
        if (commandLine.isUsageHelpRequested()) {
            commandLine.usage(System.out);
            return;
        }
        options.asProperties().forEach(System::setProperty);
        Quarkus.run(Lifecycle.class, Main::ended, args);
    }

    static CommandLine commandLine(ServeOptions options) {
        return new CommandLine(options).setCaseInsensitiveEnumValuesAllowed(true);
    }

    private static void ended(int status, @Nullable Throwable failure) {
        if (failure != null) {
            fail(StartFailure.sentence(failure), 1);
        }
        System.exit(status);
    }

    private static void fail(String sentence, int status) {
        PrintStream err = System.err;
        err.println("anabranch: " + sentence);
        err.flush();
        System.exit(status);
    }
}
