package org.anabranch.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.anabranch.filter.FilterEnvironment.Conjunct;
import org.anabranch.model.RefusedException;

/**
 * The condition of a rule. What of it depends neither on the key nor on the type of its content can be settled once for many keys,
 * see {@link #settled}. Safe from many threads.
 */
public final class Condition {

    /** How a condition ends. */
    public enum Verdict {
        TRUE,
        FALSE,
        /** It could not be evaluated, say by an index out of range or because it takes too many steps. */
        FAILED
    }

    private static final String REFERENCE = "ref";
    private static final Set<String> OF_KEYS = Set.of("path", "contentType");

    private final String text;
    private final List<Conjunct<ConditionView>> open;
    private final Verdict settled;

    Condition(String text, List<Conjunct<ConditionView>> open) {
        this(text, open, Verdict.TRUE);
    }

    /** @param settled what the other parts came to, taken together */
    private Condition(String text, List<Conjunct<ConditionView>> open, Verdict settled) {
        this.text = text;
        this.open = settled == Verdict.FALSE ? List.of() : List.copyOf(open);
        this.settled = settled;
    }

    public String text() {
        return text;
    }

    /** Whether it may use a variable. */
    public boolean uses(String variable) {
        return open.stream().anyMatch(part -> part.names().contains(variable));
    }

    /**
     * What comes of the parts that ask for the name of a reference: if one is false, so is the whole; if all are true, the others decide.
     * Empty if the name alone does not tell, because a part fails or asks for more.
     */
    public Optional<Boolean> ofReference(String name) {
        ConditionView view = new ConditionView("", "", List.of(), name, "", "");
        boolean isTold = true;
        for (Conjunct<ConditionView> part : open) {
            if (part.names().equals(Set.of(REFERENCE))) {
                Verdict verdict = evaluate(part, view);
                if (verdict == Verdict.FALSE) {
                    return Optional.of(false);
                }
                isTold &= verdict == Verdict.TRUE;
            } else {
                isTold &= !part.names().contains(REFERENCE);
            }
        }
        return isTold ? Optional.of(true) : Optional.empty();
    }

    /** Whether it ends alike for all keys and types. */
    public boolean isSettled() {
        return open.isEmpty();
    }

    /** The keys outside of which it is false. */
    public KeyScope scope() {
        return open.stream().map(part -> part.filter().scope()).reduce(KeyScope.ALL, KeyScopes::both);
    }

    /** This condition for all questions that differ in key and type alone. */
    public Condition settled(ConditionView view) {
        List<Conjunct<ConditionView>> left = new ArrayList<>();
        Verdict verdict = settled;
        for (Conjunct<ConditionView> part : open) {
            if (part.names().stream().anyMatch(OF_KEYS::contains)) {
                left.add(part);
            } else {
                verdict = both(verdict, evaluate(part, view));
            }
        }
        return new Condition(text, left, verdict);
    }

    public Verdict test(ConditionView view) {
        Verdict verdict = settled;
        for (Conjunct<ConditionView> part : open) {
            if (verdict == Verdict.FALSE) {
                break;
            }
            verdict = both(verdict, evaluate(part, view));
        }
        return verdict;
    }

    /** As the language's {@code &&}: what is false on one side is false even where the other side fails. */
    private static Verdict both(Verdict one, Verdict other) {
        if (one == Verdict.FALSE || other == Verdict.FALSE) {
            return Verdict.FALSE;
        }
        return one == Verdict.FAILED || other == Verdict.FAILED ? Verdict.FAILED : Verdict.TRUE;
    }

    private static Verdict evaluate(Conjunct<ConditionView> part, ConditionView view) {
        try {
            return part.filter().test(view) ? Verdict.TRUE : Verdict.FALSE;
        } catch (RefusedException e) {
            return Verdict.FAILED;
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
