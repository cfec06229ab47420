package org.anabranch.wiring;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The program: turns options into configuration and runs the service until it is told to end, or one command. */
@QuarkusMain
public final class Main {

    private interface Program {
        int run(String[] args, PrintStream out, PrintStream err);
    }

    /** What the program does besides serving. */
    private static final Map<String, Program> COMMANDS = Map.of(
            "check", CheckCommand::run,
            "sweep", SweepCommand::run,
            "export", ExportCommand::run,
            "import", ImportCommand::run,
            "authz", AuthzCommand::run);

    private Main() {}

    /**
     * Ends with 0 after an orderly end, 1 if the service could not start, 2 if it was called wrongly. The commands
     * have their own statuses, see {@link CheckCommand}, {@link SweepCommand}, {@link ExportCommand}, {@link ImportCommand} and
     * {@link AuthzCommand}.
     */
    public static void main(String[] args) {
        if (args.length > 0 && COMMANDS.containsKey(args[0])) {
            String[] options = Arrays.copyOfRange(args, 1, args.length);
            System.exit(COMMANDS.get(args[0]).run(options, System.out, System.err));
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
        try {
            options.requireUse();
        } catch (CommandFailedException e) {
            fail(e.getMessage(), 2);
        } catch (RuntimeException e) {
            fail(StartFailure.sentence(e), 1);
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
