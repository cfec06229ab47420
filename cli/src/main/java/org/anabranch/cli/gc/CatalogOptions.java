package org.anabranch.cli.gc;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.anabranch.api.client.ApiClient;
import org.anabranch.api.client.ApiOptions;
import org.anabranch.api.client.Pace;
import org.anabranch.gc.api.ApiCatalogSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which catalog is read, as whom, and how hard. */
final class CatalogOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--uri",
            paramLabel = "URI",
            defaultValue = "http://127.0.0.1:19120/api/v2",
            description = "base of the catalog's API v2, of whatever server (${DEFAULT-VALUE})")
    private URI uri;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "file with a bearer token, which is sent with every request")
    private @Nullable Path tokenFile;

    @Option(
            names = "--header",
            paramLabel = "NAME:VALUE",
            description = "sends a header with every request; may be repeated")
    private List<String> headers = List.of();

    @Option(
            names = "--requests-per-second",
            paramLabel = "N",
            defaultValue = "0",
            description = "asks the catalog no more often; 0 for no limit (${DEFAULT-VALUE})")
    private double requestsPerSecond;

    @Option(
            names = "--request-timeout",
            paramLabel = "DURATION",
            defaultValue = "2m",
            converter = DurationText.class,
            description = "waits no longer for one answer (${DEFAULT-VALUE})")
    private Duration timeout;

    @Option(
            names = "--attempts",
            paramLabel = "N",
            defaultValue = "8",
            description =
                    "sends a request so often that meets no answer or a busy server, after longer and longer pauses"
                            + " (${DEFAULT-VALUE})")
    private int attempts;

    @Option(
            names = "--reads-are-unfiltered",
            description =
                    "asserts that the catalog shows this caller everything, where the server cannot say so itself")
    private boolean readsAreUnfiltered;

    boolean readsAreUnfiltered() {
        return readsAreUnfiltered;
    }

    /** Describes the catalog; asks nothing yet. */
    ApiCatalogSource source() {
        if (timeout.isZero() || timeout.isNegative()) {
            throw new ParameterException(
                    spec.commandLine(), "--request-timeout: give more than nothing, not " + timeout);
        }
        try {
            ApiOptions options =
                    new ApiOptions(uri, ApiOptions.headers(headers, tokenFile), requestsPerSecond, attempts, timeout);
            return new ApiCatalogSource(new ApiClient(options, Pace.of(System::nanoTime), InstantSource.system()));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
