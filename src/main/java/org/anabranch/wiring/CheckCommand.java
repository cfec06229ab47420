package org.anabranch.wiring;

import java.io.PrintStream;
import java.util.Map;
import org.anabranch.store.Store;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.versioning.check.CheckLevel;
import org.anabranch.versioning.check.CheckReport;
import org.anabranch.versioning.check.CheckStage;
import org.anabranch.versioning.check.Finding;
import org.anabranch.versioning.check.RepositoryCheck;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Verifies a repository, in this process or by a service that runs, and tells what was found. */
@Command(
        name = "anabranch check",
        description = "Verifies a repository: in the store that the options name, or beside a running service.",
        footer = "Ends with 0 if nothing was found, 1 if something was, 2 if not everything could be checked.",
        sortOptions = false)
final class CheckCommand extends StoreCommand {

    static final int CLEAN = DONE;
    static final int FINDINGS = 1;
    static final int NOT_CHECKED = FAILED;

    @Mixin
    private final ServiceOptions service = new ServiceOptions();

    @Option(names = "--quick", description = "references and headers alone, neither trees nor contents")
    private boolean quick;

    private CheckCommand(PrintStream out, PrintStream err) {
        super(out, err);
    }

    /** Runs the command and returns the status that the process shall end with. */
    static int run(String[] args, PrintStream out, PrintStream err) {
        return new CheckCommand(out, err).run(args);
    }

    @Override
    String verb() {
        return "check";
    }

    @Override
    @Nullable
    String reason(Exception failure) {
        return failure instanceof StoreUnavailableException
                ? "the store cannot be read: " + StartFailure.root(failure)
                : null;
    }

    @Override
    int run() {
        service.requireUse();
        if (service.isGiven() && !storeProperties().isEmpty()) {
            throw new CommandFailedException(
                    "--service checks the store of that service: leave out the options that name another one", null);
        }
        ProgressLines progress = new ProgressLines(err);
        CheckLevel level = quick ? CheckLevel.QUICK : CheckLevel.FULL;
        CheckReport found = service.isGiven()
                ? new RemoteRun<>(
                                service, AdminRoutes.CHECK, CheckLevel.class, CheckStage.class, CheckReport.class, json)
                        .run(level, progress)
                : inThisProcess(level, progress);
        tell(found, reported(found));
        if (!found.findings().isEmpty()) {
            return FINDINGS;
        }
        return found.complete() ? CLEAN : NOT_CHECKED;
    }

    private CheckReport inThisProcess(CheckLevel level, ProgressLines progress) {
        try (Store opened = offlineStore(Map.of()).open()) {
            return new RepositoryCheck(opened).run(level, progress::at, () -> false);
        }
    }

    private static void tell(CheckReport found, PrintStream to) {
        for (Finding finding : found.findings()) {
            StringBuilder line = new StringBuilder(finding.kind().name());
            if (finding.reference() != null) {
                line.append("  ").append(finding.reference());
            }
            if (finding.commit() != null) {
                line.append("  commit ").append(finding.commit());
            }
            if (finding.row() != 0) {
                line.append("  row ").append(finding.row());
            }
            if (finding.key() != null) {
                line.append("  key ").append(finding.key());
            }
            to.println(line);
            to.println("    expected: " + finding.expected());
            to.println("    there is: " + finding.actual());
        }
        to.printf(
                "%,d references, %,d of %,d commits that they reach verified%s, %,d rows that nothing reaches, %,d"
                        + " receipts%n",
                found.references(),
                found.verified(),
                found.commits(),
                found.level() == CheckLevel.QUICK ? " by their headers" : "",
                found.rows() - found.commits(),
                found.receipts());
        if (found.notJudged() > 0) {
            to.printf("%,d commits build on something damaged and could not be judged wholly%n", found.notJudged());
        }
        if (!found.complete()) {
            to.println("The check ended before it was complete.");
        }
        to.println(found.isClean() ? "Nothing is wrong." : found.findings().size() + " findings: " + found.counts());
    }
}
