package org.anabranch.wiring;

import java.io.PrintStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.Store;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.versioning.sweep.StoreSweep;
import org.anabranch.versioning.sweep.SweepMode;
import org.anabranch.versioning.sweep.SweepReport;
import org.anabranch.versioning.sweep.SweepStage;
import org.anabranch.versioning.sweep.UnsweepableException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Sweeps a store once, in this process or by a service that runs, and tells what was done. */
@Command(
        name = "anabranch sweep",
        description =
                "Deletes commits that no reference leads to: condemns those that are new, and deletes those that were"
                        + " condemned long enough ago; in the store that the options name, or beside a running service.",
        footer = "Ends with 0 if the sweep went through, 2 if not.",
        sortOptions = false)
final class SweepCommand extends StoreCommand {

    static final int SWEPT = DONE;
    static final int NOT_SWEPT = FAILED;

    @Mixin
    private final ServiceOptions service = new ServiceOptions();

    @Option(names = "--dry-run", description = "only tells what would be done")
    private boolean dryRun;

    @Option(
            names = "--grace",
            paramLabel = "DURATION",
            description = "how long commits are condemned before they are deleted, such as 72H (72H)")
    private @Nullable String grace;

    private SweepCommand(PrintStream out, PrintStream err) {
        super(out, err);
    }

    /** Runs the command and returns the status that the process shall end with. */
    static int run(String[] args, PrintStream out, PrintStream err) {
        return new SweepCommand(out, err).run(args);
    }

    @Override
    String verb() {
        return "sweep";
    }

    @Override
    @Nullable
    String reason(Exception failure) {
        return switch (failure) {
            case UnsweepableException refused -> String.valueOf(refused.getMessage());
            case StoreUnavailableException gone -> broken(gone);
            case OutcomeUnknownException unknown -> broken(unknown);
            default -> null;
        };
    }

    private static String broken(RuntimeException failure) {
        return "the store does not work: " + StartFailure.root(failure) + ". What was done stays; sweep again";
    }

    @Override
    int run() {
        service.requireUse();
        if (service.isGiven() && (!storeProperties().isEmpty() || grace != null)) {
            throw new CommandFailedException(
                    "--service sweeps the store of that service by its settings: leave out --grace and the options"
                            + " that name another store",
                    null);
        }
        ProgressLines progress = new ProgressLines(err);
        SweepMode mode = dryRun ? SweepMode.DRY_RUN : SweepMode.SWEEP;
        SweepReport found = service.isGiven()
                ? new RemoteRun<>(
                                service, AdminRoutes.SWEEP, SweepMode.class, SweepStage.class, SweepReport.class, json)
                        .run(mode, progress)
                : inThisProcess(mode, progress);
        tell(found, reported(found));
        return found.complete() ? SWEPT : NOT_SWEPT;
    }

    private SweepReport inThisProcess(SweepMode mode, ProgressLines progress) {
        OfflineStore offline = offlineStore(grace == null ? Map.of() : Map.of("anabranch.sweep.grace", grace));
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
}
