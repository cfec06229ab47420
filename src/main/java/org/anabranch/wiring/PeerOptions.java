package org.anabranch.wiring;

import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.anabranch.api.client.ApiClient;
import org.anabranch.api.client.ApiOptions;
import org.anabranch.api.client.Pace;
import org.anabranch.versioning.transfer.peer.PeerImport.Comparison;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How another server is asked for its repository, and what is written down of it. */
final class PeerOptions {

    private static final int ATTEMPTS = 8;
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Option(
            names = "--hash-map",
            paramLabel = "FILE",
            description =
                    "of --from-nessie: takes a line for each commit, its hash there and its hash here; must not be there yet")
    private @Nullable Path hashMap;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "of --from-nessie: file with a bearer token, which is sent with every request")
    private @Nullable Path tokenFile;

    @Option(
            names = "--header",
            paramLabel = "NAME:VALUE",
            description = "of --from-nessie: sends a header with every request; may be repeated")
    private List<String> headers = List.of();

    @Option(
            names = "--requests-per-second",
            paramLabel = "N",
            description = "of --from-nessie: asks the server no more often; 0 for no limit (0)")
    private @Nullable Double requestsPerSecond;

    @Option(
            names = "--spool",
            paramLabel = "DIR",
            description =
                    "of --from-nessie: where history waits in a file, some hundred bytes a commit (the system's folder for"
                            + " temporary files)")
    private @Nullable Path spool;

    @Option(
            names = "--no-comparison",
            description = "of --from-nessie: does not hold every key of every reference against the server at the end")
    private boolean isNotCompared;

    /** Demands that none of them is given: they say nothing of a file. */
    void requireNone() {
        if (hashMap != null
                || tokenFile != null
                || !headers.isEmpty()
                || requestsPerSecond != null
                || spool != null
                || isNotCompared) {
            throw new CommandFailedException(
                    "--hash-map, --token-file, --header, --requests-per-second, --spool and --no-comparison go with"
                            + " --from-nessie alone",
                    null);
        }
    }

    ApiClient client(URI api) {
        try {
            return new ApiClient(
                    new ApiOptions(
                            api,
                            ApiOptions.headers(headers, tokenFile),
                            Optional.ofNullable(requestsPerSecond).orElse(0.0),
                            ATTEMPTS,
                            TIMEOUT),
                    Pace.of(System::nanoTime),
                    InstantSource.system());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    Comparison comparison() {
        return isNotCompared ? Comparison.NONE : Comparison.ALL_KEYS;
    }

    Path spoolFolder() {
        return spool == null ? Path.of(System.getProperty("java.io.tmpdir")) : spool;
    }

    /** Where hashes go until they are kept, to be closed by the caller. */
    Writer hashMap() throws IOException {
        if (hashMap == null) {
            return Writer.nullWriter();
        }
        if (Files.exists(hashMap)) {
            throw new CommandFailedException(hashMap + " is there already: choose another name, or remove it", null);
        }
        return Files.newBufferedWriter(part(hashMap));
    }

    /** The repository is there, so its hashes count. */
    void keepHashMap() throws IOException {
        if (hashMap != null) {
            Files.move(part(hashMap), hashMap, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private static Path part(Path file) {
        return file.resolveSibling(file.getFileName() + ".part");
    }
}
