package org.anabranch.bench.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A thousand rules of authorization, ten of them with a condition, that together allow the load. As the service asks nobody who they are
 * here, all of them concern every caller, which is the most work that rules can make. Half speak of single namespaces, so that a
 * listing finds a thousand ranges of keys; five of the conditions are asked of every key.
 */
public final class RuleFile {

    private static final int RULES = 1_000;
    private static final int NAMESPACES = 500;

    private RuleFile() {}

    /** Writes the file, over one that is there. */
    public static Path write(Path file, Catalog catalog) {
        try {
            Files.createDirectories(file.getParent());
            return Files.write(file, lines(catalog));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> lines(Catalog catalog) {
        List<String> rules = new ArrayList<>();
        rules.add("{allow: [read, write], keys: [lake]}");
        rules.add("{allow: [create-reference, assign-reference, delete-reference, force, read-detached]}");
        for (int number = 0; number < NAMESPACES; number++) {
            String namespace = "lake." + catalog.namespace(number);
            rules.add("{allow: [read, write], keys: [" + namespace + ", \"" + namespace + ".*\"]}");
        }
        for (int number = 0; number < 5; number++) {
            rules.add("{deny: [read, write], when: \"path.endsWith('__secret" + number + "')\"}");
            rules.add("{deny: [write], when: \"path.startsWith('lake." + catalog.namespace(number)
                    + ".closed') && contentType == 'ICEBERG_TABLE'\"}");
        }
        while (rules.size() < RULES) {
            rules.add("{allow: [read, write], references: [\"team-" + rules.size() + "/*\"]}");
        }
        List<String> lines = new ArrayList<>(List.of("rules:"));
        rules.forEach(rule -> lines.add("  - " + rule));
        return lines;
    }
}
