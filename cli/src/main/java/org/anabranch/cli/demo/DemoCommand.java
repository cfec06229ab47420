package org.anabranch.cli.demo;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.anabranch.cli.service.ServiceProcess;
import org.anabranch.cli.service.TemporaryFolder;
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
        narration.say("Starting a service of its own ...");
        try (TemporaryFolder folder = TemporaryFolder.create("anabranch-demo-");
                ServiceProcess service = ServiceProcess.start(folder.path())) {
            narration.say("The service answers at " + service.api() + " after " + Narration.seconds(since(startedAt))
                    + ". Its store and the tables' files are in " + folder.path() + ".");
            new DemoStory(service.api(), folder.path().resolve("warehouse"), narration).tell();
        }
        narration.end(since(startedAt));
        return narration.allClaimsHold() ? 0 : 1;
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }
}
