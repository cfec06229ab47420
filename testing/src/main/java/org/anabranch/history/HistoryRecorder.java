package org.anabranch.history;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Collects the calls of concurrent clients. Safe from many threads. */
public final class HistoryRecorder {

    private final List<Call> calls = new ArrayList<>();

    /** Makes a call and remembers it. */
    public Answer call(Request request, Supplier<Answer> sending) {
        long start = System.nanoTime();
        Answer answer = sending.get();
        Call call = new Call(request, start, System.nanoTime(), answer);
        synchronized (calls) {
            calls.add(call);
        }
        return answer;
    }

    /** All calls so far, in the order in which they ended. */
    public List<Call> calls() {
        synchronized (calls) {
            return List.copyOf(calls);
        }
    }
}
