package org.anabranch.wiring;

import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import org.anabranch.api.client.ApiOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a running service, which is to do the work beside what else it does. */
final class ServiceOptions {

    @Option(
            names = "--service",
            paramLabel = "URL",
            description = "management port of a running service, which does it on its own store: http://127.0.0.1:9000")
    private @Nullable URI service;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "file with a bearer token for that service, where rules decide who may ask")
    private @Nullable Path tokenFile;

    boolean isGiven() {
        return service != null;
    }

    /** @throws CommandFailedException a token is given, and no service that it could be for */
    void requireUse() {
        if (service == null && tokenFile != null) {
            throw new CommandFailedException(
                    "--token-file is for a service: name that with --service, or leave the token out", null);
        }
    }

    /**
     * Begins a request.
     *
     * @throws CommandFailedException the options name no service, or no file with a token
     */
    HttpRequest.Builder request(String pathAndQuery) {
        if (service == null
                || service.getHost() == null
                || service.getScheme() == null
                || !service.getScheme().startsWith("http")) {
            throw new CommandFailedException(
                    "'" + service + "' is no address of a management port; it has the form http://127.0.0.1:9000",
                    null);
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(service.resolve(pathAndQuery));
        if (tokenFile != null) {
            request.header("Authorization", bearer(tokenFile));
        }
        return request;
    }

    private static String bearer(Path tokenFile) {
        try {
            return ApiOptions.bearer(tokenFile);
        } catch (IllegalArgumentException e) {
            throw new CommandFailedException(String.valueOf(e.getMessage()), e);
        }
    }
}
