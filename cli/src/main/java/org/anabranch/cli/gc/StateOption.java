package org.anabranch.cli.gc;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where the collector keeps what it remembers. */
final class StateOption {

    @Option(
            names = "--state",
            paramLabel = "FOLDER",
            required = true,
            description =
                    "the collector's memory, one folder per repository, which 'gc run' and 'gc mark' make. Deleting it makes"
                            + " all grace periods start anew")
    private Path folder;

    Path folder() {
        return folder;
    }
}
