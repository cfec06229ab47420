package org.anabranch.wiring;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintStream;
import org.anabranch.api.v2.ApiJson;
import org.anabranch.store.Store;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.embedded.FolderInUseException;
import org.anabranch.versioning.check.CheckLevel;
import org.anabranch.versioning.check.CheckReport;
import org.anabranch.versioning.check.CheckStage;
import org.anabranch.versioning.check.Finding;
import org.anabranch.versioning.check.RepositoryCheck;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Verifies a repository, in this process or by a service that runs, and tells what was found. */
@Command(
        name = "anabranch check",
        description = "Verifies a repository: in the store that the options name, or beside a running service.",
        footer = "Ends with 0 if nothing was found, 1 if something was, 2 if not everything could be checked.",
        sortOptions = false)
final class CheckCommand {

    static final int CLEAN = 0;
    static final int FINDINGS = 1;
    static final int NOT_CHECKED = 2;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Mixin
    private final ServiceOptions service = new ServiceOptions();

    @Option(names = "--quick", description = "references and headers alone, neither trees nor contents")
    private boolean quick;

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

    private CheckCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Runs the command and returns the status that the process shall end with. */
    static int run(String[] args, PrintStream out, PrintStream err) {
        CheckCommand command = new CheckCommand(out, err);
        CommandLine commandLine = new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true);
        try {
            commandLine.parseArgs(args);
            if (commandLine.isUsageHelpRequested()) {
                commandLine.usage(out);
                return CLEAN;
            }
            return command.run();
        } catch (ParameterException e) {
            return command.fail(e.getMessage() + " (--help lists the options)");
        } catch (CommandFailedException e) {
            return command.fail(e.getMessage());
        } catch (FolderInUseException e) {
            return command.fail(e.getMessage()
                    + " Beside a running service, check with --service http://127.0.0.1:9000 (its management port).");
        } catch (StoreUnavailableException e) {
            return command.fail("the store cannot be read: " + StartFailure.root(e));
        } catch (RuntimeException e) {
            return command.fail(StartFailure.sentence(e, "the check could not run"));
        }
    }

    private int run() {
        if (service.isGiven() && !store.asProperties().isEmpty()) {
            return fail("--service checks the store of that service: leave out the options that name another one");
        }
        ProgressLines progress = new ProgressLines(err);
        CheckLevel level = quick ? CheckLevel.QUICK : CheckLevel.FULL;
        CheckReport found = service.isGiven()
                ? new RemoteRun<>(
                                service, AdminRoutes.CHECK, CheckLevel.class, CheckStage.class, CheckReport.class, json)
                        .run(level, progress)
                : inThisProcess(level, progress);
        ReportFile file = new ReportFile(report);
        file.write(found, json, out);
        tell(found, file.isOutput() ? err : out);
        if (!found.findings().isEmpty()) {
            return FINDINGS;
        }
        return found.complete() ? CLEAN : NOT_CHECKED;
    }

    private CheckReport inThisProcess(CheckLevel level, ProgressLines progress) {
        try (Store opened = OfflineStore.of(store.asProperties()).open()) {
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

    private int fail(String sentence) {
        err.println("anabranch: " + sentence);
        return NOT_CHECKED;
    }
}
