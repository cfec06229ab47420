package org.anabranch.cli.demo;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Prints a story step by step and keeps count of the claims in it. Text appears at once. For one thread. */
final class Narration {

    private final PrintWriter out;
    private int steps;
    private int claims;
    private int failedClaims;

    Narration(PrintWriter out) {
        this.out = out;
    }

    /** Begins the next step. */
    void step(String title) {
        steps++;
        out.printf("%n%d. %s%n", steps, title);
        out.flush();
    }

    void say(String text) {
        out.println("   " + text);
        out.flush();
    }

    void draw(List<String> lines) {
        lines.forEach(line -> out.println("     " + line));
        out.flush();
    }

    /** Prints the claim that two values agree; where they don't, prints both, and the story has failed. */
    void claim(String claim, Object expected, Object actual) {
        claims++;
        if (expected.equals(actual)) {
            say("[ok] " + claim);
        } else {
            failedClaims++;
            say("[FAILED] " + claim);
            say("         expected " + expected);
            say("         but found " + actual);
        }
    }

    void end(Duration took) {
        out.println();
        if (allClaimsHold()) {
            out.printf("All %d claims hold. It took %s.%n", claims, seconds(took));
        } else {
            out.printf("%d of %d claims FAILED. It took %s.%n", failedClaims, claims, seconds(took));
        }
        out.flush();
    }

    /** Whether the story made claims and none of them failed. */
    boolean allClaimsHold() {
        return claims > 0 && failedClaims == 0;
    }

    static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
    }
}
