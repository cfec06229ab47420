package org.anabranch.distribution;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Finds what a manifest says and Kubernetes does not know: its types keep such fields as additional ones. */
final class UnknownFields {

    private static final String TYPES = "io.fabric8.kubernetes.api.model";
    private static final String ADDITIONAL = "getAdditionalProperties";

    private UnknownFields() {}

    /** The names of all unknown fields of an object and of everything in it, each behind the type that it stands in. */
    static List<String> of(Object value) {
        List<String> unknown = new ArrayList<>();
        collect(value, unknown);
        return unknown;
    }

    private static void collect(Object value, List<String> unknown) {
        switch (value) {
            case null -> {}
            case Iterable<?> items -> items.forEach(item -> collect(item, unknown));
            case Map<?, ?> entries -> entries.values().forEach(item -> collect(item, unknown));
            default -> {
                if (value.getClass().getName().startsWith(TYPES)) {
                    collectFields(value, unknown);
                }
            }
        }
    }

    private static void collectFields(Object value, List<String> unknown) {
        for (Method getter : value.getClass().getMethods()) {
            if (!getter.getName().startsWith("get")
                    || getter.getParameterCount() != 0
                    || Modifier.isStatic(getter.getModifiers())) {
                continue;
            }
            Object field = valueOf(getter, value);
            if (getter.getName().equals(ADDITIONAL)) {
                ((Map<?, ?>) field)
                        .keySet()
                        .forEach(name -> unknown.add(value.getClass().getSimpleName() + "." + name));
            } else {
                collect(field, unknown);
            }
        }
    }

    private static Object valueOf(Method getter, Object value) {
        try {
            return getter.invoke(value);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }
}
