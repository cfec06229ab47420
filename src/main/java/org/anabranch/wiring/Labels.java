package org.anabranch.wiring;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Counters that differ in one label whose values are known beforehand, so that each is there from the start. */
final class Labels {

    private Labels() {}

    static Map<String, Counter> counters(
            MeterRegistry meters, String name, String description, String label, String... values) {
        Map<String, Counter> counters = new HashMap<>();
        for (String value : values) {
            counters.put(
                    value,
                    Counter.builder(name)
                            .description(description)
                            .tag(label, value)
                            .register(meters));
        }
        return Map.copyOf(counters);
    }

    /** The value that stands for a constant. */
    static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    static String[] of(Enum<?>[] constants) {
        String[] labels = new String[constants.length];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = of(constants[i]);
        }
        return labels;
    }
}
