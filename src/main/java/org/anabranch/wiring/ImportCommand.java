package org.anabranch.wiring;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import org.anabranch.api.v2.ApiJson;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.Store;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.embedded.FolderInUseException;
import org.anabranch.versioning.transfer.ExportFile;
import org.anabranch.versioning.transfer.ExportFileException;
import org.anabranch.versioning.transfer.ImportReport;
import org.anabranch.versioning.transfer.RepositoryImport;
import org.anabranch.versioning.transfer.TransferRefusedException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Brings a repository into an empty store. */
@Command(
        name = "anabranch import",
        description =
                "Brings a repository into an empty store, which the options name and no service may hold. Nothing of it"
                        + " is served before all of it is there.",
        footer =
                "Ends with 0 if the repository is there, 1 if the file is not what was exported, 2 if it could not be done.",
        sortOptions = false)
final class ImportCommand {

    static final int IMPORTED = 0;
    static final int FILE_WRONG = 1;
    static final int NOT_IMPORTED = 2;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(names = "--from", paramLabel = "FILE", required = true, description = "a file that 'export' wrote")
    private Path from;

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

    private ImportCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Runs the command and returns the status that the process shall end with. */
    static int run(String[] args, PrintStream out, PrintStream err) {
        ImportCommand command = new ImportCommand(out, err);
        CommandLine commandLine = new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true);
        try {
            commandLine.parseArgs(args);
            if (commandLine.isUsageHelpRequested()) {
                commandLine.usage(out);
                return IMPORTED;
            }
            return command.run();
        } catch (ParameterException e) {
            return command.fail(NOT_IMPORTED, e.getMessage() + " (--help lists the options)");
        } catch (CommandFailedException | TransferRefusedException | FolderInUseException e) {
            return command.fail(NOT_IMPORTED, String.valueOf(e.getMessage()));
        } catch (ExportFileException e) {
            return command.fail(FILE_WRONG, command.from + " is not what was exported. " + e.getMessage());
        } catch (StoreUnavailableException | OutcomeUnknownException e) {
            return command.fail(
                    NOT_IMPORTED,
                    "the store does not work: " + StartFailure.root(e) + ". Start the import again: it goes on");
        } catch (IOException e) {
            return command.fail(NOT_IMPORTED, command.from + " cannot be read: " + e);
        } catch (RuntimeException e) {
            return command.fail(NOT_IMPORTED, StartFailure.sentence(e, "the import could not run"));
        }
    }

    private int run() throws IOException {
        ProgressLines progress = new ProgressLines(err);
        ExportFile file = ExportFile.verify(from, progress::at);
        ImportReport done;
        try (Store opened = OfflineStore.of(store.asProperties()).create()) {
            done = new RepositoryImport(opened).run(file, progress::at);
        }
        ReportFile reportFile = new ReportFile(report);
        reportFile.write(done, json, out);
        (reportFile.isOutput() ? err : out)
                .printf(
                        "Repository %s is there: %,d references, %,d commits%s.%n",
                        done.repository(),
                        done.references(),
                        done.commits(),
                        done.found() == 0
                                ? ""
                                : String.format(", of which an earlier attempt had brought %,d", done.found()));
        return IMPORTED;
    }

    private int fail(int status, String sentence) {
        err.println("anabranch: " + sentence);
        return status;
    }
}
