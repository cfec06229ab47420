package org.anabranch.api.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The body of an answer, whose reading fails when it takes too long: the timeout of a request ends with the answer's headers. */
final class TimedStream extends FilterInputStream {

    private final CompletableFuture<Void> reading = new CompletableFuture<>();

    TimedStream(InputStream in, Duration timeout) {
        super(in);
        reading.orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS).exceptionally(late -> {
            try {
                in.close();
            } catch (IOException e) {
                // Its reader meets the end all the same.
            }
            return null;
        });
    }

    @Override
    public void close() throws IOException {
        reading.complete(null);
        super.close();
    }
}
