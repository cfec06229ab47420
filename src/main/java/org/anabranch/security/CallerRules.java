package org.anabranch.security;

import static java.util.Objects.requireNonNull;

import com.github.benmanes.caffeine.cache.Cache;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.anabranch.security.Rule.Effect;

/**
 * The rules that concern one caller, found by reference: those for every reference, those for one by its name, and the others by what
 * stands before the first wildcard of their patterns. So a reference costs a look-up per length of such prefixes, and a test of each
 * pattern that may match, whatever the number of rules. Safe from many threads.
 */
final class CallerRules {

    /**
     * Which rules count.
     *
     * @param caller as far as rules tell callers apart
     * @param rules their numbers
     * @param reference whose name their conditions ask for; {@link #SHARED} if none does, or it is one of those for which they hold
     */
    record Key(Principal caller, BitSet rules, String reference) {}

    /** What reads ask. */
    private static final Set<Check> READING = EnumSet.of(
            Check.VIEW_REFERENCE,
            Check.READ_ENTRIES,
            Check.LIST_COMMIT_LOG,
            Check.READ_CONTENT_KEY,
            Check.READ_ENTITY_VALUE,
            Check.READ_DETACHED);

    /** No name of a reference. */
    private static final String SHARED = "*";

    private record Pattern(int rule, ReferencePattern references) {}

    private final Principal caller;
    private final RuleIndex rules;
    private final Cache<Key, ReferenceRules> compiled;
    private final BitSet everywhere = new BitSet();
    private final Map<String, BitSet> byName = new HashMap<>();
    private final Map<String, List<Pattern>> byPrefix = new HashMap<>();
    private final SortedSet<Integer> prefixLengths = new TreeSet<>();
    private final boolean readEverything;

    /**
     * @param concerning the numbers of those that concern the caller
     * @param compiled shared by all callers
     */
    CallerRules(Principal caller, RuleIndex rules, BitSet concerning, Cache<Key, ReferenceRules> compiled) {
        this.caller = caller;
        this.rules = rules;
        this.compiled = compiled;
        concerning.stream().forEach(this::add);
        this.readEverything =
                readEverything(concerning.stream().mapToObj(rules.all()::get).toList());
    }

    private static boolean readEverything(List<Rule> concerning) {
        return READING.stream()
                .allMatch(check -> concerning.stream()
                                .anyMatch(rule -> rule.effect() == Effect.ALLOW
                                        && rule.isWithoutException()
                                        && rule.isAbout(check, Via.COMMIT))
                        && concerning.stream()
                                .noneMatch(rule -> rule.effect() == Effect.DENY && rule.isAbout(check, Via.COMMIT)));
    }

    /** Whether they let the caller read everything without exception, which none of them can take away. */
    boolean readEverything() {
        return readEverything;
    }

    private void add(int number) {
        List<ReferencePattern> references = rules.all().get(number).references();
        if (references.isEmpty()) {
            everywhere.set(number);
        }
        for (ReferencePattern pattern : references) {
            if (pattern.isName()) {
                byName.computeIfAbsent(pattern.text(), name -> new BitSet()).set(number);
            } else {
                byPrefix.computeIfAbsent(pattern.prefix(), prefix -> new ArrayList<>())
                        .add(new Pattern(number, pattern));
                prefixLengths.add(pattern.prefix().length());
            }
        }
    }

    /** The rules that speak of a reference; of the repository for the empty name. */
    ReferenceRules of(String reference) {
        BitSet matching = (BitSet) everywhere.clone();
        if (!reference.isEmpty()) {
            BitSet named = byName.get(reference);
            if (named != null) {
                matching.or(named);
            }
            for (int length : prefixLengths) {
                if (length > reference.length()) {
                    break;
                }
                for (Pattern pattern : byPrefix.getOrDefault(reference.substring(0, length), List.of())) {
                    if (!matching.get(pattern.rule) && pattern.references.test(reference)) {
                        matching.set(pattern.rule);
                    }
                }
            }
        }
        boolean isNamed = reference.isEmpty() || matching.intersects(rules.askingForReference());
        Key key = new Key(caller, matching, isNamed ? reference : SHARED);
        if (!isNamed || reference.isEmpty()) {
            return compiled(key, reference);
        }
        ReferenceRules known = compiled.getIfPresent(key);
        if (known == null) {
            known = compiled(told(matching, reference), reference);
            compiled.put(key, known);
        }
        return known;
    }

    /** Without the rules that the name of a reference rules out; shared if that is all that the others make of the name. */
    private Key told(BitSet matching, String reference) {
        BitSet left = (BitSet) matching.clone();
        BitSet asking = (BitSet) matching.clone();
        asking.and(rules.askingForReference());
        String name = SHARED;
        for (int number : asking.stream().toArray()) {
            Optional<Boolean> holds =
                    requireNonNull(rules.all().get(number).condition()).ofReference(reference);
            if (holds.isEmpty()) {
                name = reference;
            } else if (!holds.get()) {
                left.clear(number);
            }
        }
        return new Key(caller, left, name);
    }

    /** @param reference that the key stands for, or one of those that share it */
    private ReferenceRules compiled(Key key, String reference) {
        return compiled.get(
                key,
                each -> new ReferenceRules(
                        caller,
                        reference,
                        key.rules.stream().mapToObj(rules.all()::get).toList()));
    }
}
