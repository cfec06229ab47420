package org.anabranch.wiring;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.anabranch.api.client.ApiClient;
import org.anabranch.api.client.ApiFailure;
import org.anabranch.store.Instants;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.Store;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.embedded.FolderInUseException;
import org.anabranch.versioning.transfer.ExportFile;
import org.anabranch.versioning.transfer.ExportFileException;
import org.anabranch.versioning.transfer.ImportReport;
import org.anabranch.versioning.transfer.RepositoryImport;
import org.anabranch.versioning.transfer.TransferRefusedException;
import org.anabranch.versioning.transfer.peer.PeerException;
import org.anabranch.versioning.transfer.peer.PeerImport;
import org.anabranch.versioning.transfer.peer.PeerImport.NewRepository;
import org.anabranch.versioning.transfer.peer.PeerImportReport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Brings a repository into an empty store. */
@Command(
        name = "anabranch import",
        description =
                "Brings a repository into an empty store, which the options name and no service may hold. Nothing of it"
                        + " is served before all of it is there.",
        footer =
                "Ends with 0 if the repository is there, 1 if the file is not what was exported, 2 if it could not be done.",
        sortOptions = false)
final class ImportCommand extends StoreCommand {

    static final int IMPORTED = DONE;
    static final int FILE_WRONG = 1;
    static final int NOT_IMPORTED = FAILED;

    @ArgGroup(multiplicity = "1")
    private Source source;

    @Mixin
    private final PeerOptions peer = new PeerOptions();

    /** Where the repository comes from: exactly one of them. */
    private static final class Source {

        @Option(names = "--from", paramLabel = "FILE", description = "a file that 'export' wrote")
        private @Nullable Path file;

        @Option(
                names = "--from-nessie",
                paramLabel = "URI",
                description =
                        "base of the API v2 of another server, such as http://127.0.0.1:19120/api/v2; all its branches,"
                                + " tags and history come over, under new hashes")
        private @Nullable URI server;

        @Override
        public String toString() {
            return String.valueOf(file == null ? server : file);
        }
    }

    private ImportCommand(PrintStream out, PrintStream err) {
        super(out, err);
    }

    /** Runs the command and returns the status that the process shall end with. */
    static int run(String[] args, PrintStream out, PrintStream err) {
        return new ImportCommand(out, err).run(args);
    }

    @Override
    String verb() {
        return "import";
    }

    @Override
    int status(Exception failure) {
        return failure instanceof ExportFileException ? FILE_WRONG : NOT_IMPORTED;
    }

    @Override
    @Nullable
    String reason(Exception failure) {
        return switch (failure) {
            case TransferRefusedException refused -> String.valueOf(refused.getMessage());
            case FolderInUseException held -> String.valueOf(held.getMessage());
            case PeerException wrong -> String.valueOf(wrong.getMessage());
            case ExportFileException wrong -> source + " is not what was exported. " + wrong.getMessage();
            case StoreUnavailableException gone -> broken(gone);
            case OutcomeUnknownException unknown -> broken(unknown);
            case ApiFailure failed -> failed.getMessage() + ". Start the import again: it goes on";
            case IOException broken -> unusable(broken);
            case UncheckedIOException broken -> unusable(broken);
            default -> null;
        };
    }

    private static String broken(RuntimeException failure) {
        return "the store does not work: " + StartFailure.root(failure) + ". Start the import again: it goes on";
    }

    private static String unusable(Exception failure) {
        return "a file cannot be read or written: " + StartFailure.root(failure) + " ("
                + failure.getClass().getSimpleName() + ")";
    }

    @Override
    int run() throws IOException {
        ProgressLines progress = new ProgressLines(err);
        OfflineStore offline = offlineStore(Map.of());
        if (source.server != null) {
            PeerImportReport done = fromServer(source.server, offline, progress);
            tell(done, reported(done));
        } else {
            peer.requireNone();
            ImportReport done = fromFile(Objects.requireNonNull(source.file), offline, progress);
            tell(done.repository(), done.references(), done.commits(), done.found(), reported(done));
        }
        return IMPORTED;
    }

    private ImportReport fromFile(Path from, OfflineStore offline, ProgressLines progress) throws IOException {
        if (!Files.isRegularFile(from)) {
            throw new CommandFailedException(
                    "--from: " + from + (Files.exists(from) ? " is no file" : " is not there")
                            + ": name one that 'export' wrote",
                    null);
        }
        ExportFile file = ExportFile.verify(from, progress::at);
        try (Store opened = offline.create()) {
            return new RepositoryImport(opened).run(file, progress::at);
        }
    }

    private PeerImportReport fromServer(URI from, OfflineStore offline, ProgressLines progress) throws IOException {
        ApiClient client = peer.client(from);
        Ids ids = new Ids();
        NewRepository fresh = new NewRepository(
                ids.uuid(), ids.salt(), Instants.micros(InstantSource.system().instant()));
        PeerImportReport done;
        try (Writer hashes = peer.hashMap();
                Store opened = offline.create()) {
            done = new PeerImport(client, opened, peer.spoolFolder())
                    .run(from.toString(), fresh, peer.comparison(), hashes, progress::at);
        }
        peer.keepHashMap();
        return done;
    }

    private static void tell(PeerImportReport done, PrintStream to) {
        tell(done.repository(), done.references(), done.commits(), done.found(), to);
        if (done.comparedStates() > 0) {
            to.printf(
                    "All references are what they are there: %,d states with %,d keys were compared.%n",
                    done.comparedStates(), done.comparedKeys());
        }
        if (done.raisedTimes() > 0) {
            to.printf(
                    "%,d commits were not younger than their parents, and are a microsecond younger now.%n",
                    done.raisedTimes());
        }
        done.missingParents()
                .forEach(hash -> to.println("Merge source " + hash + " is not there any more, and was left out."));
        done.firstChangedContentIds()
                .forEach(change -> to.println(printable("Key " + change.key() + " has content id " + change.after()
                        + " instead of " + change.before() + " from commit " + change.commit() + " on: "
                        + change.reason() + ".")));
        if (done.changedContentIds() > 0) {
            to.printf("%,d contents could not keep their ids.%n", done.changedContentIds());
        }
    }

    private static void tell(UUID repository, long references, long commits, long found, PrintStream to) {
        to.printf(
                "Repository %s is there: %,d references, %,d commits%s.%n",
                repository,
                references,
                commits,
                found == 0 ? "" : String.format(", of which an earlier attempt had brought %,d", found));
    }
}
