package org.anabranch.bench.load;

/** One of the loops that make the load of a round; used by one thread. */
public interface Worker extends AutoCloseable {

    /** Does one turn and records its measured operations. What it throws ends the round and the run. */
    void turn(Recording recording) throws Exception;

    @Override
    default void close() {}
}
