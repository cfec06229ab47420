package org.anabranch.cli.gc;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.anabranch.gc.FileLocation;
import org.anabranch.gc.state.LiveSet.Holder;
import org.anabranch.gc.state.Runs.Run;
import org.anabranch.gc.state.StateFolder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tells what keeps a file alive, by what the latest run found. */
@Command(
        name = "why",
        description =
                "Tells what keeps a file alive: reference, commit, table, snapshot. Asks the latest run, not the catalog.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class WhyCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private StateOption stateOption;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "10",
            description = "names no more commits (${DEFAULT-VALUE})")
    private int limit;

    @Parameters(paramLabel = "FILE", description = "as a path or URI, in any spelling")
    private String file;

    /** Returns 0 if something keeps the file, 1 if nothing does. */
    @Override
    public Integer call() {
        if (limit < 1) {
            throw new ParameterException(spec.commandLine(), "--limit: give 1 or more, not " + limit);
        }
        PrintWriter out = spec.commandLine().getOut();
        FileLocation location = Latest.location(spec, file);
        try (StateFolder state = StateFolder.openExisting(stateOption.folder())) {
            Run run = Latest.marked(state);
            List<String> way = state.liveFiles().way(location);
            if (way.isEmpty()) {
                out.println("Nothing that was live at " + run.startedAt() + " (run " + run.id() + ") needs " + location
                        + ". What is known of it otherwise: gc explain.");
                return 1;
            }
            out.println(location + " is needed (run " + run.id() + " of " + run.startedAt() + ")");
            way.stream()
                    .filter(each -> !FileLocation.parse(each).equals(location))
                    .forEach(each -> out.println("  by " + each));
            String metadata = way.get(way.size() - 1);
            for (Holder holder : state.liveSet().holders(metadata, limit)) {
                out.println("  which " + holder.key() + " (content " + holder.contentId() + ") has at commit "
                        + holder.commit() + ", live on " + holder.reference() + ", with snapshot or version "
                        + holder.versionId());
            }
            return 0;
        }
    }
}
