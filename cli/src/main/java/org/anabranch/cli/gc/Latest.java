package org.anabranch.cli.gc;

import org.anabranch.gc.FileLocation;
import org.anabranch.gc.state.Runs.Run;
import org.anabranch.gc.state.StateFolder;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The run that questions are answered from. */
final class Latest {

    private Latest() {}

    /** @throws IllegalArgumentException if there is no run whose files are known */
    static Run marked(StateFolder state) {
        return state.runs()
                .latest()
                .filter(run -> run.expandedAt() != null)
                .orElseThrow(
                        () -> new IllegalArgumentException(
                                "The latest run does not know yet which files are needed: do 'gc mark' and 'gc expand', or 'gc run'"));
    }

    /** The file that a question is about. */
    static FileLocation location(CommandSpec spec, String file) {
        try {
            return FileLocation.parse(file);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "FILE: " + e.getMessage(), e);
        }
    }
}
