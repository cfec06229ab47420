package org.anabranch.bench;

import java.util.Arrays;
import picocli.CommandLine;

/** What {@code ./anabranch bench} runs. */
public final class Main {

    private Main() {}

    /**
     * Runs the benchmark, or with {@code start} as first argument the measurement of starts, or with {@code jmh} JMH with the
     * arguments behind it, and ends the JVM: 0 all rows were measured without errors, 1 not, 2 it was called wrongly.
     */
    public static void main(String[] args) throws Exception {
        if (args.length > 0 && args[0].equals("jmh")) {
            org.openjdk.jmh.Main.main(Arrays.copyOfRange(args, 1, args.length));
            return;
        }
        boolean isStart = args.length > 0 && args[0].equals("start");
        CommandLine commandLine = new CommandLine(isStart ? new StartCommand() : new BenchCommand());
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setExecutionExceptionHandler((failure, command, parsed) -> {
            command.getErr().println("anabranch bench: " + Failures.inALine(failure));
            return command.getCommandSpec().exitCodeOnExecutionException();
        });
        System.exit(commandLine.execute(isStart ? Arrays.copyOfRange(args, 1, args.length) : args));
    }
}
