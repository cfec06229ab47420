package org.anabranch.security;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.anabranch.filter.Condition;
import org.anabranch.filter.ConditionView;
import org.anabranch.filter.KeyScope;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.KeyBound;
import org.anabranch.model.KeyEncoding;
import org.anabranch.model.KeyInterval;
import org.anabranch.model.VisibleKeys;
import org.anabranch.security.Rule.Effect;
import org.jspecify.annotations.Nullable;

/**
 * What some rules say of all keys of a reference, for one check and caller: the keys in segments, in each of which the same rules
 * count. A key costs O(log n) comparisons for n patterns; conditions are evaluated only where keys and types decide them, and
 * nothing else does.
 */
final class KeyDecisions implements VisibleKeys {

    private static final int EVERY_TYPE = (1 << ContentType.values().length) - 1;

    /**
     * A rule whose condition is open.
     *
     * @param order among the rules
     * @param view what the condition sees, but for key and type
     * @param types it is about
     */
    private record Open(int order, Rule rule, Condition condition, ConditionView view, int types) {

        boolean holds(ConditionView key) {
            return rule.holds(condition.test(key));
        }
    }

    /**
     * Some keys that lie together.
     *
     * @param allowed types that are allowed, unless a condition denies them
     * @param denied types that are denied
     * @param allowing rules that may allow types beyond
     * @param denying rules that may deny types that are or may be allowed
     */
    private record Segment(int allowed, int denied, List<Open> allowing, List<Open> denying) {

        boolean mayShow() {
            return allowed != 0 || !allowing.isEmpty();
        }

        boolean showsAll() {
            return allowed == EVERY_TYPE && denying.isEmpty();
        }
    }

    /** Where the segments begin, but for the first, which begins before every key. */
    private final KeyBound[] starts;

    private final Segment[] segments;
    private final List<KeyInterval> ranges;

    /** The segment of the key that was asked about last, by whichever thread: a guess, so any of them will do. */
    private int last;

    /**
     * @param question about the reference, with the check and the way; its key is not asked about
     * @param rules that concern the caller and speak of the reference and the check
     */
    KeyDecisions(Principal caller, Question question, List<Rule> rules) {
        Sweep sweep = new Sweep();
        for (int i = 0; i < rules.size(); i++) {
            add(i, rules.get(i), caller, question, sweep);
        }
        List<KeyBound> begins = new ArrayList<>();
        List<Segment> found = new ArrayList<>(List.of(sweep.segment()));
        sweep.changes.forEach((bound, changes) -> {
            changes.forEach(Runnable::run);
            Segment segment = sweep.segment();
            if (!segment.equals(found.get(found.size() - 1))) {
                begins.add(bound);
                found.add(segment);
            }
        });
        this.starts = begins.toArray(KeyBound[]::new);
        this.segments = found.toArray(Segment[]::new);
        this.ranges = intervals();
    }

    private static void add(int order, Rule rule, Principal caller, Question question, Sweep sweep) {
        int types = rule.types().isEmpty()
                ? EVERY_TYPE
                : rule.types().stream().mapToInt(KeyDecisions::bit).sum();
        Optional<KeyInterval> bounds = Optional.of(KeyInterval.ALL);
        Open open = null;
        if (rule.condition() != null) {
            ConditionView view = rule.view(caller, question).of("", "");
            Condition settled = rule.condition().settled(view);
            if (!settled.isSettled()) {
                open = new Open(order, rule, settled, sweep.shared(view), types);
                bounds = interval(settled.scope());
            } else if (!rule.holds(settled.test(view))) {
                return;
            }
        }
        if (bounds.isEmpty()) {
            return;
        }
        List<KeyInterval> intervals = rule.keys().isEmpty()
                ? List.of(KeyInterval.ALL)
                : rule.keys().stream().map(KeyPattern::interval).toList();
        for (KeyInterval interval : intervals) {
            Optional<KeyInterval> both = interval.and(bounds.get());
            if (both.isPresent()) {
                sweep.add(both.get(), rule.effect(), types, open);
            }
        }
    }

    /** The keys within a scope; empty if there can be none. */
    private static Optional<KeyInterval> interval(KeyScope scope) {
        if (scope.prefix().isEmpty()) {
            return Optional.of(KeyInterval.ALL);
        }
        try {
            return Optional.of(KeyInterval.keyAndBelow(new ContentKey(scope.prefix())));
        } catch (IllegalArgumentException noKey) {
            return Optional.empty();
        }
    }

    private static int bit(ContentType type) {
        return 1 << type.ordinal();
    }

    /** What counts between two bounds, from the first key to the last. */
    private static final class Sweep {

        /** What begins or ends at a bound. */
        private final TreeMap<KeyBound, List<Runnable>> changes = new TreeMap<>();

        /** How many rules without an open condition allow or deny each type here. */
        private final int[][] counts = new int[Effect.values().length][ContentType.values().length];

        /** How often each open rule counts here: its patterns may overlap. */
        private final SortedMap<Open, Integer> open = new TreeMap<>(Comparator.comparingInt(Open::order));

        /** What conditions see differs little from rule to rule. */
        private final Map<ConditionView, ConditionView> views = new HashMap<>();

        ConditionView shared(ConditionView view) {
            return views.computeIfAbsent(view, each -> each);
        }

        void add(KeyInterval interval, Effect effect, int types, @Nullable Open conditional) {
            change(interval.from(), effect, types, conditional, 1);
            if (interval.until() != null) {
                change(interval.until(), effect, types, conditional, -1);
            }
        }

        private void change(@Nullable KeyBound at, Effect effect, int types, @Nullable Open conditional, int by) {
            Runnable change = conditional == null
                    ? () -> count(effect, types, by)
                    : () -> open.merge(conditional, by, (one, other) -> one + other == 0 ? null : one + other);
            if (at == null) {
                change.run();
            } else {
                changes.computeIfAbsent(at, bound -> new ArrayList<>()).add(change);
            }
        }

        private void count(Effect effect, int types, int by) {
            for (int type = 0; type < ContentType.values().length; type++) {
                if ((types & 1 << type) != 0) {
                    counts[effect.ordinal()][type] += by;
                }
            }
        }

        Segment segment() {
            int denied = types(Effect.DENY);
            int allowed = types(Effect.ALLOW) & ~denied;
            List<Open> allowing = open(Effect.ALLOW, EVERY_TYPE & ~allowed & ~denied);
            int possible = allowing.stream().mapToInt(Open::types).reduce(allowed, (one, other) -> one | other);
            return new Segment(allowed, denied, allowing, open(Effect.DENY, possible & ~denied));
        }

        private int types(Effect effect) {
            int types = 0;
            for (int type = 0; type < ContentType.values().length; type++) {
                types |= counts[effect.ordinal()][type] > 0 ? 1 << type : 0;
            }
            return types;
        }

        private List<Open> open(Effect effect, int types) {
            return open.keySet().stream()
                    .filter(each -> each.rule().effect() == effect && (each.types() & types) != 0)
                    .toList();
        }
    }

    @Override
    public boolean shows(ContentKey key, ContentType type) {
        Segment segment = segments[near(key)];
        int bit = bit(type);
        if ((segment.denied & bit) != 0) {
            return false;
        }
        boolean allowed = (segment.allowed & bit) != 0;
        if (segment.denying.isEmpty() && (allowed || segment.allowing.isEmpty())) {
            return allowed;
        }
        String path = KeyEncoding.LEGACY.encode(key);
        return (allowed || holdsAny(segment.allowing, path, type)) && !holdsAny(segment.denying, path, type);
    }

    private static boolean holdsAny(List<Open> rules, String path, ContentType type) {
        ConditionView key = null;
        ConditionView of = null;
        for (Open open : rules) {
            if ((open.types & bit(type)) != 0) {
                if (key == null || of != open.view) {
                    of = open.view;
                    key = of.of(path, type.name());
                }
                if (open.holds(key)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The segment of a key: listings ask for keys in their order, so it is mostly the one of the key before. */
    private int near(ContentKey key) {
        int guess = last;
        boolean isThere = (guess == 0 || starts[guess - 1].isBefore(key))
                && (guess == starts.length || !starts[guess].isBefore(key));
        if (isThere) {
            return guess;
        }
        int found = segment(KeyBound.before(key));
        last = found;
        return found;
    }

    /** The segment that a place is the beginning of, or lies in. */
    private int segment(KeyBound place) {
        int low = 0;
        int high = starts.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (starts[middle].compareTo(place) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    @Override
    public List<KeyInterval> ranges() {
        return ranges;
    }

    @Override
    public boolean showsAll(KeyInterval range) {
        int segment = range.from() == null ? 0 : segment(range.from());
        while (segments[segment].showsAll()) {
            boolean isLast =
                    segment == starts.length || range.until() != null && starts[segment].compareTo(range.until()) >= 0;
            if (isLast) {
                return true;
            }
            segment++;
        }
        return false;
    }

    /** Neighbouring segments as one, if both show everything or neither does. */
    private List<KeyInterval> intervals() {
        List<KeyInterval> intervals = new ArrayList<>();
        for (int i = 0; i < segments.length; i++) {
            if (segments[i].mayShow()) {
                int first = i;
                boolean whole = segments[i].showsAll();
                while (i < starts.length && segments[i + 1].mayShow() && segments[i + 1].showsAll() == whole) {
                    i++;
                }
                intervals.add(
                        new KeyInterval(first == 0 ? null : starts[first - 1], i == starts.length ? null : starts[i]));
            }
        }
        return List.copyOf(intervals);
    }
}
