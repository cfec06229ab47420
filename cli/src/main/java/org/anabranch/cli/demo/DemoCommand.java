package org.anabranch.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.anabranch.cli.service.ServiceProcess;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Starts a service of its own in a temporary folder, tells the story against it and removes both. */
@Command(
        name = "demo",
        description = "Tells the main story on real Iceberg tables and checks every claim.",
        mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    /** Returns 0 when every claim holds, else 1. */
    @Override
    public Integer call() throws Exception {
        Narration narration = new Narration(spec.commandLine().getOut());
        long startedAt = System.nanoTime();
        Path folder = Files.createTempDirectory("anabranch-demo-");
        narration.say("Starting a service of its own ...");
        try (ServiceProcess service = ServiceProcess.start(folder)) {
            narration.say("The service answers at " + service.api() + " after " + Narration.seconds(since(startedAt))
                    + ". Its store and the tables' files are in " + folder + ".");
            new DemoStory(service.api(), folder.resolve("warehouse"), narration).tell();
        } finally {
            deleteRecursively(folder);
        }
        narration.end(since(startedAt));
        return narration.allClaimsHold() ? 0 : 1;
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    private static void deleteRecursively(Path folder) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> paths = Files.walk(folder)) {
            deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) {
            Files.delete(path);
        }
    }
}
