package org.anabranch.wiring;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.anabranch.store.MissingRowException;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.Store;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.versioning.transfer.ExportFile;
import org.anabranch.versioning.transfer.ExportFileException;
import org.anabranch.versioning.transfer.ExportReport;
import org.anabranch.versioning.transfer.RepositoryExport;
import org.anabranch.versioning.transfer.TransferRefusedException;
import org.anabranch.versioning.transfer.TransferStage;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes a repository to a file, by this process or by a service that runs, and reads the file back. */
@Command(
        name = "anabranch export",
        description =
                "Writes a repository to one file: of the store that the options name, or beside a running service.",
        footer = "Ends with 0 if the file is there, written and read back, 2 if not.",
        sortOptions = false)
final class ExportCommand extends StoreCommand {

    static final int EXPORTED = DONE;
    static final int NOT_EXPORTED = FAILED;

    private static final Duration ANSWER_WITHIN = Duration.ofMinutes(2);
    private static final int BUFFER_BYTES = 64 << 10;

    @Mixin
    private final ServiceOptions service = new ServiceOptions();

    @Option(names = "--to", paramLabel = "FILE", required = true, description = "the file, which must not be there yet")
    private Path to;

    private ExportCommand(PrintStream out, PrintStream err) {
        super(out, err);
    }

    /** Runs the command and returns the status that the process shall end with. */
    static int run(String[] args, PrintStream out, PrintStream err) {
        return new ExportCommand(out, err).run(args);
    }

    @Override
    String verb() {
        return "export";
    }

    @Override
    @Nullable
    String reason(Exception failure) {
        return switch (failure) {
            case TransferRefusedException refused -> String.valueOf(refused.getMessage());
            case StoreUnavailableException gone -> "the store does not work: " + StartFailure.root(gone);
            case OutcomeUnknownException unknown -> "the store does not work: " + StartFailure.root(unknown);
            case MissingRowException missing ->
                missing.getMessage() + ": the repository is damaged, and 'check' says how far";
            case ExportFileException wrong ->
                "what was written cannot be read back, and is not kept. " + wrong.getMessage();
            case IOException broken -> to + " cannot be written: " + broken;
            default -> null;
        };
    }

    @Override
    int run() throws IOException {
        service.requireUse();
        if (service.isGiven() && !storeProperties().isEmpty()) {
            throw new CommandFailedException(
                    "--service exports the store of that service: leave out the options that name another one", null);
        }
        if (Files.exists(to)) {
            throw new CommandFailedException(to + " is there already: choose another name, or remove it", null);
        }
        Path folder = to.toAbsolutePath().getParent();
        if (!Files.isDirectory(folder)) {
            throw new CommandFailedException(
                    "--to: there is no folder " + folder + ": make it, or choose another place", null);
        }
        ProgressLines progress = new ProgressLines(err);
        Path part = to.resolveSibling(to.getFileName() + ".part");
        ExportReport written;
        OutputStream created = create(part);
        try {
            try (OutputStream file = new BufferedOutputStream(created, BUFFER_BYTES)) {
                if (service.isGiven()) {
                    fetch(service, file, progress);
                } else {
                    inThisProcess(file, progress);
                }
            }
            try (FileChannel file = FileChannel.open(part, StandardOpenOption.WRITE)) {
                file.force(true);
            }
            written = ExportFile.verify(part, progress::at).report();
            Files.move(part, to, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
        reported(written)
                .printf(
                        "Repository %s: %,d references and %,d commits are in %s, %,d bytes, and were read back from it.%n"
                                + "Digest of the contents: %s%n",
                        written.repository(),
                        written.references(),
                        written.commits(),
                        to,
                        written.bytes(),
                        written.digest());
        return EXPORTED;
    }

    /** As a file of its own: what is read back from it must be what was written to it. */
    private static OutputStream create(Path part) throws IOException {
        try {
            return Files.newOutputStream(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            throw new CommandFailedException(
                    part
                            + " is there already: another export writes it, or one was ended by force; if so, remove it, or"
                            + " choose another name",
                    e);
        }
    }

    private void inThisProcess(OutputStream file, ProgressLines progress) throws IOException {
        try (Store opened = offlineStore(Map.of()).open()) {
            new RepositoryExport(opened, InstantSource.system()).run(file, progress::at, () -> false);
        }
    }

    /** Whether all of it came is seen when it is read back. */
    private static void fetch(ServiceOptions service, OutputStream file, ProgressLines progress) throws IOException {
        HttpRequest request =
                service.request(AdminRoutes.EXPORT).timeout(ANSWER_WITHIN).build();
        URI uri = request.uri();
        try (HttpClient http =
                HttpClient.newBuilder().connectTimeout(ANSWER_WITHIN).build()) {
            HttpResponse<InputStream> response;
            try {
                response = http.send(request, BodyHandlers.ofInputStream());
            } catch (IOException e) {
                throw RemoteRun.noAnswer(uri, e);
            }
            try (InputStream body = response.body()) {
                if (response.statusCode() != 200) {
                    throw RemoteRun.refused(
                            uri, response.statusCode(), new String(body.readAllBytes(), StandardCharsets.UTF_8));
                }
                copy(uri, body, file, progress);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("interrupted", e);
        }
    }

    private static void copy(URI uri, InputStream body, OutputStream file, ProgressLines progress) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        long bytes = 0;
        while (true) {
            int read;
            try {
                read = body.read(buffer);
            } catch (IOException e) {
                throw new CommandFailedException(
                        uri + " broke off after " + bytes + " bytes: the log of the service says why", e);
            }
            if (read < 0) {
                return;
            }
            file.write(buffer, 0, read);
            bytes += read;
            progress.at(TransferStage.EXPORTING, bytes, 0);
        }
    }
}
