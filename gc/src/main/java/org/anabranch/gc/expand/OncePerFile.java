package org.anabranch.gc.expand;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.anabranch.gc.NeededFiles.Reading;

/** Lets one thread read an index file while others who come for it wait for what became of it. */
final class OncePerFile {

    private final ConcurrentMap<String, CompletableFuture<Reading>> underWay = new ConcurrentHashMap<>();

    /**
     * Runs the reading, unless it is under way: then waits for that one. Readings may nest as the files refer to each other, which
     * makes no circle.
     */
    Reading read(String indexFile, Supplier<Reading> reading) {
        CompletableFuture<Reading> mine = new CompletableFuture<>();
        CompletableFuture<Reading> others = underWay.putIfAbsent(indexFile, mine);
        if (others != null) {
            return others.join();
        }
        try {
            Reading ended = reading.get();
            mine.complete(ended);
            return ended;
        } catch (RuntimeException | Error e) {
            mine.completeExceptionally(e);
            throw e;
        } finally {
            underWay.remove(indexFile, mine);
        }
    }
}
