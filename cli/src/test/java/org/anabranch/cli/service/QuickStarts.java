package org.anabranch.cli.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Before the first test, has the service start once and keep its classes in a file, from which all starts take them then; and its
 * code is compiled once and quickly. Tests start it so often that this saves minutes.
 */
public final class QuickStarts implements LauncherSessionListener {

    private static final Path CACHE = Path.of("target", "service-" + Runtime.version() + ".jsa");

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        if (System.getProperty("anabranch.service") == null
                || !System.getProperty("anabranch.uri", "").isEmpty()) {
            return;
        }
        try {
            if (!Files.exists(CACHE)
                    || Files.getLastModifiedTime(CACHE).compareTo(Files.getLastModifiedTime(ServiceProcess.jar()))
                            < 0) {
                makeCache();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        System.setProperty(ServiceProcess.OPTIONS, "-XX:TieredStopAtLevel=1\n-XX:SharedArchiveFile=" + CACHE);
    }

    private static void makeCache() throws IOException {
        Path unfinished = CACHE.resolveSibling("unfinished.jsa");
        try (TemporaryFolder folder = TemporaryFolder.create("anabranch-quick-starts-")) {
            // It writes the file when it ends.
            try (ServiceProcess service =
                    ServiceProcess.start(folder.path(), "-XX:ArchiveClassesAtExit=" + unfinished)) {
                service.askToEnd();
                service.awaitEnd(Duration.ofMinutes(5));
            }
        }
        Files.move(unfinished, CACHE, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
