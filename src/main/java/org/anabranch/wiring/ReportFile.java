package org.anabranch.wiring;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where the report of a command goes as JSON.
 *
 * @param name of a file; - for the output; null for nowhere
 */
record ReportFile(@Nullable String name) {

    boolean isOutput() {
        return "-".equals(name);
    }

    /** @throws CommandFailedException if it cannot be written */
    void write(Object report, ObjectMapper json, PrintStream out) {
        if (name == null) {
            return;
        }
        try {
            String text = json.writerWithDefaultPrettyPrinter().writeValueAsString(report) + "\n";
            if (isOutput()) {
                out.print(text);
                out.flush();
            } else {
                Files.writeString(Path.of(name), text);
            }
        } catch (IOException e) {
            throw new CommandFailedException("the report cannot be written to " + name + ": " + e, e);
        }
    }
}
