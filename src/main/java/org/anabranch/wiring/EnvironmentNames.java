package org.anabranch.wiring;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The environment variables that properties of the service are given by. A property that is misspelt elsewhere keeps the service
 * from starting; of the environment the configuration library takes what it knows and says nothing of the rest.
 */
final class EnvironmentNames {

    private static final String PREFIX = "ANABRANCH_";

    /** Container platforms tell each process where the services of its neighbourhood are, one called anabranch included. */
    private static final Pattern SERVICE_LINK =
            Pattern.compile(".*(_SERVICE_HOST|_SERVICE_PORT(_.*)?|_PORT(_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)");

    private EnvironmentNames() {}

    /** Those of some variables that begin as properties of the service do and stand for none, in order. */
    static List<String> unknown(Collection<String> variables) {
        Set<String> known = DeclaredProperties.names().stream()
                .map(name -> name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_"))
                .collect(Collectors.toSet());
        return variables.stream()
                .filter(name -> name.startsWith(PREFIX))
                .filter(name ->
                        !known.contains(name) && !SERVICE_LINK.matcher(name).matches())
                .sorted()
                .toList();
    }
}
