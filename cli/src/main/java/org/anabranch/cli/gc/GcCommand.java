package org.anabranch.cli.gc;

import java.util.concurrent.Callable;
import org.anabranch.gc.run.Collector.Start;
import org.anabranch.gc.state.Runs.Run;
import org.anabranch.gc.sweep.SweepOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Collects files of the lake that nothing in the catalog needs any more. */
@Command(
        name = "gc",
        description =
                "Collects files of the lake that nothing in the catalog needs any more; docs/gc.md is its manual.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:done",
            "1:failed; nothing was deleted that the report does not tell",
            "2:called wrongly, or S3 lacks a region or credentials",
            "3:done, but folders had to be left alone or files could not be deleted"
        },
        subcommands = {
            GcCommand.RunCommand.class,
            GcCommand.MarkCommand.class,
            GcCommand.ExpandCommand.class,
            GcCommand.SweepCommand.class,
            ExplainCommand.class,
            WhyCommand.class
        })
public final class GcCommand {

    static final int DONE = 0;
    static final int DONE_IN_PART = 3;

    private GcCommand() {}

    /** All three steps. */
    @Command(
            name = "run",
            description = "Marks, expands and sweeps; goes on with a run that was broken off.",
            mixinStandardHelpOptions = true,
            sortOptions = false)
    static final class RunCommand implements Callable<Integer> {

        @Mixin
        private RunOptions options;

        @Mixin
        private SweepRules rules;

        @Option(names = "--new", description = "begins anew even if the latest run was broken off")
        private boolean isNew;

        @Override
        public Integer call() {
            SweepOptions sweep = rules.options();
            try (Session session = options.begin(rules::requireStorages)) {
                rules.warn(session.out());
                Run run = session.expand(session.mark(isNew ? Start.NEW : Start.RESUME));
                return session.sweep(run, sweep, rules.mode(), rules.report(session.folder()));
            }
        }
    }

    /** The first step. */
    @Command(
            name = "mark",
            description = "Finds what is live. The first step, which begins a run.",
            mixinStandardHelpOptions = true,
            sortOptions = false)
    static final class MarkCommand implements Callable<Integer> {

        @Mixin
        private RunOptions options;

        @Override
        public Integer call() {
            try (Session session = options.begin(storages -> {})) {
                session.markAnew();
                return DONE;
            }
        }
    }

    /** The second step. */
    @Command(
            name = "expand",
            description = "Finds the files that live contents need. The second step.",
            mixinStandardHelpOptions = true,
            sortOptions = false)
    static final class ExpandCommand implements Callable<Integer> {

        @Mixin
        private RunOptions options;

        @Override
        public Integer call() {
            try (Session session = options.goOn(storages -> {})) {
                session.expand(session.latest());
                return DONE;
            }
        }
    }

    /** The third step. */
    @Command(
            name = "sweep",
            description = "Deletes files that nothing needs, and did not need a grace period ago. The third step.",
            mixinStandardHelpOptions = true,
            sortOptions = false)
    static final class SweepCommand implements Callable<Integer> {

        @Mixin
        private RunOptions options;

        @Mixin
        private SweepRules rules;

        @Override
        public Integer call() {
            SweepOptions sweep = rules.options();
            try (Session session = options.goOn(rules::requireStorages)) {
                rules.warn(session.out());
                return session.sweep(session.latest(), sweep, rules.mode(), rules.report(session.folder()));
            }
        }
    }
}
