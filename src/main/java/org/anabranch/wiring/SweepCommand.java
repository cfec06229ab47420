package org.anabranch.wiring;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.anabranch.api.v2.ApiJson;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.Store;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.embedded.FolderInUseException;
import org.anabranch.versioning.sweep.StoreSweep;
import org.anabranch.versioning.sweep.SweepMode;
import org.anabranch.versioning.sweep.SweepReport;
import org.anabranch.versioning.sweep.SweepStage;
import org.anabranch.versioning.sweep.UnsweepableException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Sweeps a store once, in this process or by a service that runs, and tells what was done. */
@Command(
        name = "anabranch sweep",
        description =
                "Deletes commits that no reference leads to: condemns those that are new, and deletes those that were"
                        + " condemned long enough ago; in the store that the options name, or beside a running service.",
        footer = "Ends with 0 if the sweep went through, 2 if not.",
        sortOptions = false)
final class SweepCommand {

    static final int SWEPT = 0;
    static final int NOT_SWEPT = 2;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Mixin
    private final ServiceOptions service = new ServiceOptions();

    @Option(names = "--dry-run", description = "only tells what would be done")
    private boolean dryRun;

    @Option(
            names = "--grace",
            paramLabel = "DURATION",
            description = "how long commits are condemned before they are deleted, such as 72H (72H)")
    private @Nullable String grace;

    @Option(names = "--report", paramLabel = "FILE", description = "where the report goes as JSON; - for the output")
    private @Nullable String report;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "this page")
    private boolean help;

    private final ObjectMapper json = ApiJson.newMapper();
    private final PrintStream out;
    private final PrintStream err;

    private SweepCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Runs the command and returns the status that the process shall end with. */
    static int run(String[] args, PrintStream out, PrintStream err) {
        SweepCommand command = new SweepCommand(out, err);
        CommandLine commandLine = new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true);
        try {
            commandLine.parseArgs(args);
            if (commandLine.isUsageHelpRequested()) {
                commandLine.usage(out);
                return SWEPT;
            }
            return command.run();
        } catch (ParameterException e) {
            return command.fail(e.getMessage() + " (--help lists the options)");
        } catch (CommandFailedException | UnsweepableException e) {
            return command.fail(String.valueOf(e.getMessage()));
        } catch (FolderInUseException e) {
            return command.fail(e.getMessage()
                    + " Beside a running service, sweep with --service http://127.0.0.1:9000 (its management port).");
        } catch (StoreUnavailableException | OutcomeUnknownException e) {
            return command.fail(
                    "the store does not work: " + StartFailure.root(e) + ". What was done stays; sweep again");
        } catch (RuntimeException e) {
            return command.fail(StartFailure.sentence(e, "the sweep could not run"));
        }
    }

    private int run() {
        if (service.isGiven() && (!store.asProperties().isEmpty() || grace != null)) {
            return fail("--service sweeps the store of that service by its settings: leave out --grace and the options"
                    + " that name another store");
        }
        ProgressLines progress = new ProgressLines(err);
        SweepMode mode = dryRun ? SweepMode.DRY_RUN : SweepMode.SWEEP;
        SweepReport found = service.isGiven()
                ? new RemoteRun<>(
                                service, AdminRoutes.SWEEP, SweepMode.class, SweepStage.class, SweepReport.class, json)
                        .run(mode, progress)
                : inThisProcess(mode, progress);
        ReportFile file = new ReportFile(report);
        file.write(found, json, out);
        tell(found, file.isOutput() ? err : out);
        return found.complete() ? SWEPT : NOT_SWEPT;
    }

    private SweepReport inThisProcess(SweepMode mode, ProgressLines progress) {
        Map<String, String> options = new LinkedHashMap<>(store.asProperties());
        if (grace != null) {
            options.put("anabranch.sweep.grace", grace);
        }
        OfflineStore offline = OfflineStore.of(options);
        Duration period = UseCases.grace(offline.config());
        try (Store opened = offline.open()) {
            return new StoreSweep(opened, InstantSource.system(), period).run(mode, progress::at, () -> false);
        }
    }

    private static void tell(SweepReport found, PrintStream to) {
        String would = found.mode() == SweepMode.DRY_RUN ? "would be " : "";
        to.printf("%,d references lead to %,d of %,d commits%n", found.references(), found.reached(), found.rows());
        to.printf(
                "%,d commits %sdeleted, %,d %scondemned, %,d %sspared, %,d wait for the grace period%n",
                found.deleted(), would, found.condemned(), would, found.spared(), would, found.waiting());
        if (!found.complete()) {
            to.println("The sweep was ended before it was complete; the next one goes on.");
        }
    }

    private int fail(String sentence) {
        err.println("anabranch: " + sentence);
        return NOT_SWEPT;
    }
}
