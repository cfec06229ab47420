package org.anabranch.wiring;

import io.smallrye.config.ConfigMapping;
import java.lang.reflect.Method;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The properties of the service as {@link AnabranchConfig} declares them, by the names that operators know. */
final class DeclaredProperties {

    private DeclaredProperties() {}

    static Set<String> names() {
        return collect(null).keySet();
    }

    /** The values by their names; optional ones as such. */
    static SortedMap<String, @Nullable Object> values(AnabranchConfig config) {
        return collect(config);
    }

    private static SortedMap<String, @Nullable Object> collect(@Nullable AnabranchConfig config) {
        SortedMap<String, @Nullable Object> found = new TreeMap<>();
        add(AnabranchConfig.class.getAnnotation(ConfigMapping.class).prefix(), AnabranchConfig.class, config, found);
        return found;
    }

    private static void add(
            String prefix, Class<?> group, @Nullable Object values, SortedMap<String, @Nullable Object> found) {
        for (Method property : group.getMethods()) {
            String name = prefix + "."
                    + property.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            Object value = values == null ? null : value(property, values);
            if (property.getReturnType().isInterface()
                    && property.getReturnType().getNestHost() == AnabranchConfig.class) {
                add(name, property.getReturnType(), value, found);
            } else {
                found.put(name, value);
            }
        }
    }

    private static @Nullable Object value(Method property, Object group) {
        try {
            return property.invoke(group);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
