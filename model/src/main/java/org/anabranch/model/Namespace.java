package org.anabranch.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A namespace with its properties.
 *
 * @param elements as the client sent them; not compared with the key it is stored under; may be empty
 * @param properties sorted by name
 */
public record Namespace(
        @Nullable ContentId id,
        List<String> elements,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> properties)
        implements Content {

    public Namespace {
        elements = Checks.copied("elements", elements);
        ContentKey.checkElements(elements);
        if (!elements.isEmpty() && elements.get(elements.size() - 1).equals(".")) {
            throw new IllegalArgumentException("The last element of a namespace must not be '.': " + elements);
        }
        properties = properties == null ? Map.of() : properties;
        properties.forEach((name, value) -> {
            if (name == null || value == null) {
                throw new IllegalArgumentException("The namespace property '" + name + "' must not be null");
            }
        });
        properties = Collections.unmodifiableMap(new TreeMap<>(properties));
    }

    @Override
    public ContentType type() {
        return ContentType.NAMESPACE;
    }

    @Override
    public Namespace withId(ContentId id) {
        return new Namespace(id, elements, properties);
    }
}
