package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page on configuration lists the properties that there are, with the defaults that they have. */
class ConfigurationDocumentTest {

    private static final Path PAGE = Path.of("..", "docs", "configuration.md");

    /** A row of a table: the property and, maybe behind a column of options, its default. */
    private static final Pattern ROW =
            Pattern.compile("^\\| `(anabranch\\.[a-z.-]+)` \\| (?:`--[^`]*` )?\\|? ?(?:`([^`]*)`)?");

    @Test
    void everyPropertyIsListedWithItsDefault() throws IOException {
        SortedMap<String, String> listed = new TreeMap<>();
        for (String line : Files.readAllLines(PAGE)) {
            Matcher row = ROW.matcher(line);
            if (row.find()) {
                listed.put(row.group(1), row.group(2) == null ? "" : row.group(2));
            }
        }
        SortedMap<String, String> declared = new TreeMap<>();
        declare(AnabranchConfig.class.getAnnotation(ConfigMapping.class).prefix(), AnabranchConfig.class, declared);
        // The default of this one follows from the user's folders and stands in the launcher's own code.
        declared.put("anabranch.store.path", listed.get("anabranch.store.path"));

        assertThat(listed).isEqualTo(declared);
    }

    private static void declare(String prefix, Class<?> group, Map<String, String> declared) {
        for (Method property : group.getMethods()) {
            String name = prefix + "."
                    + property.getName().replaceAll("([A-Z])", "-$1").toLowerCase();
            if (property.getReturnType().isInterface()
                    && property.getReturnType().getNestHost() == AnabranchConfig.class) {
                declare(name, property.getReturnType(), declared);
            } else {
                WithDefault byDefault = property.getAnnotation(WithDefault.class);
                declared.put(name, byDefault == null ? "" : byDefault.value());
            }
        }
    }
}
