package org.anabranch.wiring;

import io.smallrye.config.ConfigMapping;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The environment variables that properties of the service are given by. A property that is misspelt elsewhere keeps the service
 * from starting; of the environment the configuration library takes what it knows and says nothing of the rest.
 */
final class EnvironmentNames {

    /** Container platforms tell each process where the services of its neighbourhood are, one called anabranch included. */
    private static final Pattern SERVICE_LINK =
            Pattern.compile(".*(_SERVICE_HOST|_SERVICE_PORT(_.*)?|_PORT(_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)");

    private EnvironmentNames() {}

    /** Those of some variables that begin as properties of the service do and stand for none, in order. */
    static List<String> unknown(Collection<String> variables) {
        String prefix = variable(
                AnabranchConfig.class.getAnnotation(ConfigMapping.class).prefix());
        Set<String> known = new TreeSet<>();
        add(prefix, AnabranchConfig.class, known);
        return variables.stream()
                .filter(name -> name.startsWith(prefix + "_"))
                .filter(name ->
                        !known.contains(name) && !SERVICE_LINK.matcher(name).matches())
                .sorted()
                .toList();
    }

    private static void add(String prefix, Class<?> group, Set<String> names) {
        for (Method property : group.getMethods()) {
            String name = prefix + "_" + variable(property.getName().replaceAll("([A-Z])", "-$1"));
            if (property.getReturnType().getNestHost() == AnabranchConfig.class
                    && !property.getReturnType().isEnum()) {
                add(name, property.getReturnType(), names);
            } else {
                names.add(name);
            }
        }
    }

    private static String variable(String name) {
        return name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }
}
