package org.anabranch.rest;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.anabranch.rest.AuditEntry.Effect;
import org.anabranch.rest.AuditEntry.Outcome;
import org.anabranch.rest.AuditEntry.Request;
import org.anabranch.service.ExportRepository;
import org.anabranch.service.ExportRepository.Receiver;

/**
 * The repository as one file, on the management port. An export that fails on its way ends with its connection; whether a file is whole,
 * it says itself.
 */
public final class ExportRoute {

    private final String path;
    private final ExportRepository exports;
    private final OperatorTrail trail;

    public ExportRoute(String path, ExportRepository exports, OperatorTrail trail) {
        this.path = path;
        this.exports = exports;
        this.trail = trail;
    }

    public void open(Router router) {
        router.get(path).handler(context -> trail.attempt(context, "export", request -> export(context, request)));
    }

    private void export(RoutingContext context, Request request) {
        HttpServerResponse response = context.response();
        response.setChunked(true).putHeader("Content-Type", "application/octet-stream");
        boolean isStarted = exports.start(new ResponseStream(response), new Receiver() {
            @Override
            public void whole() {
                trail.ended(request, Effect.of(Outcome.DONE, ""));
                response.end();
            }

            @Override
            public void brokenOff() {
                trail.ended(request, Effect.of(Outcome.FAILED, ""));
                context.request().connection().close();
            }
        });
        if (!isStarted) {
            String message = "An export is under way already, or the service is ending: try again later";
            trail.ended(request, Effect.of(Outcome.CONFLICT, message));
            response.setStatusCode(409)
                    .putHeader("Content-Type", "application/json")
                    .end("{\"status\":409,\"reason\":\"Conflict\",\"message\":\"" + message + "\"}");
        }
    }

    /** Waits for each block until the network took it: a slow reader makes a slow export. */
    private static final class ResponseStream extends OutputStream {

        private static final int BLOCK_BYTES = 64 << 10;
        private static final long MINUTES_FOR_A_BLOCK = 2;

        private final HttpServerResponse response;
        private Buffer block = Buffer.buffer();

        private ResponseStream(HttpServerResponse response) {
            this.response = response;
        }

        @Override
        public void write(int octet) throws IOException {
            write(new byte[] {(byte) octet}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            block.appendBytes(bytes, offset, length);
            if (block.length() >= BLOCK_BYTES) {
                flush();
            }
        }

        @Override
        public void flush() throws IOException {
            Buffer full = block;
            block = Buffer.buffer();
            try {
                response.write(full)
                        .toCompletionStage()
                        .toCompletableFuture()
                        .get(MINUTES_FOR_A_BLOCK, TimeUnit.MINUTES);
            } catch (ExecutionException | TimeoutException e) {
                throw new IOException("Whoever asked for the export does not take it: " + e, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("The export was interrupted", e);
            }
        }
    }
}
