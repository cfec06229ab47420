package org.anabranch.security;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.anabranch.filter.Condition;

/** Finds the rules that concern a caller by roles and name, without looking at the others. Immutable. */
final class RuleIndex {

    private final List<Rule> all;
    private final BitSet ofEverybody = new BitSet();
    private final Map<String, BitSet> byRole = new HashMap<>();
    private final Map<String, BitSet> byUser = new HashMap<>();
    private final BitSet askingForReference = new BitSet();
    private final boolean askingForName;
    private final boolean askingForRoles;

    RuleIndex(List<Rule> all) {
        this.all = all;
        for (int i = 0; i < all.size(); i++) {
            add(i, all.get(i));
        }
        askingForName = isAsked("role");
        askingForRoles = isAsked("roles");
    }

    private void add(int number, Rule rule) {
        if (rule.roles().isEmpty() && rule.users().isEmpty()) {
            ofEverybody.set(number);
        }
        rule.roles()
                .forEach(role ->
                        byRole.computeIfAbsent(role, each -> new BitSet()).set(number));
        rule.users()
                .forEach(user ->
                        byUser.computeIfAbsent(user, each -> new BitSet()).set(number));
        if (rule.condition() != null && rule.condition().uses("ref")) {
            askingForReference.set(number);
        }
    }

    private boolean isAsked(String variable) {
        return all.stream().anyMatch(rule -> {
            Condition condition = rule.condition();
            return condition != null && condition.uses(variable);
        });
    }

    List<Rule> all() {
        return all;
    }

    /** The numbers of the rules whose conditions depend on the name of the reference. Not to be changed. */
    BitSet askingForReference() {
        return askingForReference;
    }

    /** A caller as far as the rules can tell callers apart: those that are equal then are judged alike. */
    Principal relevant(Principal caller) {
        String name = askingForName || byUser.containsKey(caller.name()) ? caller.name() : "";
        SortedSet<String> roles = new TreeSet<>(caller.roles());
        if (!askingForRoles) {
            roles.retainAll(byRole.keySet());
        }
        return new Principal(name, roles);
    }

    /** The numbers of the rules that concern a caller. */
    BitSet concerning(Principal caller) {
        BitSet concerning = (BitSet) ofEverybody.clone();
        caller.roles().forEach(role -> concerning.or(byRole.getOrDefault(role, new BitSet())));
        concerning.or(byUser.getOrDefault(caller.name(), new BitSet()));
        return concerning;
    }
}
