package org.anabranch.store.embedded;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Commands of the operating system that a test changes its surroundings with. */
final class SystemCommand {

    private SystemCommand() {}

    /** Whether a command is there and did what it was told. */
    static boolean run(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException notInstalled) {
            return false;
        }
    }
}
