package org.anabranch.gc.sweep;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A table of another kind than Iceberg's that lies in a folder, alone or together with one of Iceberg's: tools write both for the
 * same data. It is told by the folder of its metadata, since no content of the catalog need name it.
 *
 * @param metadataFolder as the storage spells it
 * @param kind for people
 */
record ForeignTable(String metadataFolder, String kind) {

    private static final Map<String, String> KINDS = Map.of("_delta_log", "Delta Lake", ".hoodie", "Hudi");

    private static final Pattern IN_METADATA = Pattern.compile("(.*?/(_delta_log|\\.hoodie))/.*", Pattern.DOTALL);

    /** The table in whose metadata a file lies; empty for any other file. */
    static Optional<ForeignTable> of(String path) {
        Matcher file = IN_METADATA.matcher(path);
        return file.matches()
                ? Optional.of(new ForeignTable(file.group(1), KINDS.get(file.group(2))))
                : Optional.empty();
    }
}
