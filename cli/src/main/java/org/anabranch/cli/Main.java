package org.anabranch.cli;

import org.anabranch.cli.demo.DemoCommand;
import org.anabranch.cli.gc.GcCommand;
import org.anabranch.cli.prepare.PrepareCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What the launcher runs for {@code demo}, {@code gc}, {@code prepare} and {@code version}. */
@Command(
        name = "anabranch",
        description = "A versioned catalog for data lakes.",
        mixinStandardHelpOptions = true,
        subcommands = {DemoCommand.class, GcCommand.class, PrepareCommand.class})
public final class Main {

    private Main() {}

    /** Runs one command and ends the JVM with its exit code: 0 done, 1 it failed, 2 it was called wrongly; gc has more. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** All commands, with failures told in a line. */
    public static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new Main()).setCaseInsensitiveEnumValuesAllowed(true);
        giveVersion(commandLine);
        commandLine.setParameterExceptionHandler((wrong, arguments) -> {
            String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
            wrong.getCommandLine().getErr().println("anabranch: " + wrong.getMessage() + " (" + command + " --help)");
            return wrong.getCommandLine().getCommandSpec().exitCodeOnInvalidInput();
        });
        commandLine.setExecutionExceptionHandler((failure, command, parsed) -> {
            command.getErr().println("anabranch: " + failure.getMessage());
            return command.getCommandSpec().exitCodeOnExecutionException();
        });
        return commandLine;
    }

    /** To all commands, because each has the option. */
    private static void giveVersion(CommandLine command) {
        // Classes that are not in their jar have none.
        String version = Main.class.getPackage().getImplementationVersion();
        command.getCommandSpec().version("Anabranch " + (version == null ? "(not packaged)" : version));
        command.getSubcommands().values().forEach(Main::giveVersion);
    }
}
