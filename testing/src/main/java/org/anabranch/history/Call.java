package org.anabranch.history;

/**
 * A request with its answer.
 *
 * @param start before the request was sent, on a clock that all clients share and that never goes back
 * @param end after the answer was there, on the same clock; meaningless if the answer is {@link Answer.Unknown}
 */
public record Call(Request request, long start, long end, Answer answer) {

    public Call {
        if (end < start) {
            throw new IllegalArgumentException("A call ends after it starts");
        }
    }
}
