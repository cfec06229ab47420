package org.anabranch.distribution;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The files of the project, and what they say. */
final class Project {

    private static final Pattern PROPERTY_ROW = Pattern.compile("^\\| `([a-z][a-z0-9.-]+)` \\|", Pattern.MULTILINE);
    private static final YAMLMapper YAML = new YAMLMapper();

    private Project() {}

    /** @param name below the project's folder */
    static Path path(String name) {
        return Path.of(System.getProperty("distribution.project")).normalize().resolve(name);
    }

    static String version() {
        return System.getProperty("distribution.version");
    }

    static String text(String name) {
        try {
            return Files.readString(path(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All documents of a YAML text. */
    static List<JsonNode> yaml(String text) {
        try {
            List<JsonNode> documents = new ArrayList<>();
            YAML.readerFor(JsonNode.class).<JsonNode>readValues(text).forEachRemaining(document -> {
                if (document.isObject()) {
                    documents.add(document);
                }
            });
            return documents;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every property that docs/configuration.md has a line for. */
    static Set<String> documentedProperties() {
        Set<String> properties = new TreeSet<>();
        PROPERTY_ROW.matcher(text("docs/configuration.md")).results().forEach(row -> properties.add(row.group(1)));
        return properties;
    }

    /** The variable of the environment that stands for a property. */
    static String variable(String property) {
        return property.replaceAll("[^a-zA-Z0-9]", "_").toUpperCase(Locale.ROOT);
    }
}
