package org.anabranch.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.anabranch.cli.service.ServiceProcess;
import org.anabranch.cli.service.TemporaryFolder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Starts a service of its own in a temporary folder, tells the story against it and removes both. */
@Command(
        name = "demo",
        description = "Tells the main story on real Iceberg tables and checks every claim.",
        mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {

    private final InputStream in;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--keep",
            description = "leaves the service and the lake there afterwards, to look at, until Enter is pressed")
    private boolean isKept;

    /** Ends with {@link System#in} when it is kept. */
    public DemoCommand() {
        this(System.in);
    }

    DemoCommand(InputStream in) {
        this.in = in;
    }

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
            Path warehouse = folder.path().resolve("warehouse");
            new DemoStory(service.api(), warehouse, narration).tell();
            narration.end(since(startedAt));
            if (isKept) {
                narration.say("The service and the lake stay until you press Enter. In another terminal:");
                narration.say("curl -s " + service.api() + "/trees");
                narration.say("./anabranch gc run --uri " + service.api() + " --state "
                        + folder.path().resolve("first-run") + " --warehouse " + warehouse
                        + " --cutoff P30D --tag-cutoff 1 --dry-run");
                awaitEnter();
            }
        }
        return narration.allClaimsHold() ? 0 : 1;
    }

    /** Returns at the end of the input too. */
    private void awaitEnter() throws IOException {
        int read = in.read();
        while (read != -1 && read != '\n') {
            read = in.read();
        }
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }
}
