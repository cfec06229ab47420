package org.anabranch.bench;

import java.util.Objects;

/** Failures as they are told on the console. */
final class Failures {

    private Failures() {}

    /** What a failure says and, where it has not said that itself, what its causes say. */
    static String inALine(Throwable failure) {
        StringBuilder line = new StringBuilder(Objects.requireNonNullElse(failure.getMessage(), failure.toString()));
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            String said = Objects.requireNonNullElse(cause.getMessage(), cause.toString());
            if (line.indexOf(said) < 0) {
                line.append(": ").append(said);
            }
        }
        return line.toString();
    }
}
