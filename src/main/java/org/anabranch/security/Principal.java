package org.anabranch.security;

import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Who is asking.
 *
 * @param name empty where nobody is asked who they are
 * @param roles as the provider of tokens names them
 */
public record Principal(String name, SortedSet<String> roles) {

    /** Whoever it is: nobody was asked. */
    public static final Principal UNNAMED = new Principal("", Set.of());

    public Principal {
        roles = Collections.unmodifiableSortedSet(new TreeSet<>((Collection<String>) roles));
    }

    public Principal(String name, Collection<String> roles) {
        this(name, new TreeSet<>(roles));
    }

    @Override
    public String toString() {
        return (name.isEmpty() ? "an unnamed caller" : "'" + name + "'")
                + (roles.isEmpty() ? "" : " with roles " + roles);
    }
}
