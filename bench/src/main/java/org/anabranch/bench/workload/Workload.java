package org.anabranch.bench.workload;

import java.io.IOException;
import org.anabranch.bench.load.Recording;
import org.anabranch.bench.load.Worker;

/**
 * What is done to a server in one row.
 *
 * @param name in options, tables and files
 * @param what one operation is, for the report
 * @param connections that do it side by side
 * @param preparation done once on each server before its first round
 * @param turns of one worker
 */
public record Workload(String name, String what, int connections, Preparation preparation, Turns turns) {

    /** Brings a server into the state that the workload needs. */
    public interface Preparation {
        void prepare(Target target) throws IOException;
    }

    /** Makes the turns of worker number {@code index}. */
    interface Turns {
        Turn of(Target target, Session session, int index) throws IOException;
    }

    /** One turn of a loop, over the session that it was made for. */
    interface Turn {
        void run() throws IOException;
    }

    /** A worker for one round. */
    public Worker worker(Target target, int index, long seed) throws IOException {
        Session session = new Session(target, seed);
        Turn turn = turns.of(target, session, index);
        return new Worker() {
            @Override
            public void turn(Recording recording) throws IOException {
                session.recordTo(recording);
                turn.run();
            }

            @Override
            public void close() {
                session.close();
            }
        };
    }
}
