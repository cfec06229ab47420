package org.anabranch.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.anabranch.history.Answer.Done;
import org.anabranch.history.Answer.NotTried;
import org.anabranch.history.Answer.Refused;
import org.anabranch.history.Answer.Unknown;
import org.anabranch.history.Request.Append;
import org.anabranch.history.Request.Assign;
import org.anabranch.history.Request.Create;
import org.anabranch.history.Request.Delete;
import org.anabranch.history.Violation.Kind;

/**
 * Decides whether what concurrent clients asked and were answered can be explained by references that are changed by one
 * compare-and-swap after the other: that the history is linearizable, each reference being one register.
 *
 * <p>Linearizability is local (Herlihy and Wing, 1990), so every reference is decided alone. Deciding it for a register is
 * NP-complete in general (Gibbons and Korach, 1997), but not for ours: a commit's id holds its parent's, so each append that
 * happened moves the reference from exactly one state to exactly one other, and the commits of the repository say which. What
 * is left is to find the order:
 *
 * <ol>
 *   <li>Each commit is of one request, and of none that was refused. Each acknowledged one is the request's own, and none of
 *       its keys was changed between the expected commit and its parent.
 *   <li>An append of unknown outcome happened iff a commit of it is known. None is overlooked, because whatever state a
 *       reference ever left is named by what left it: as parent of a known commit, or in the request of an assignment or delete.
 *   <li>The calls of a reference are gone through in order of time, with the set of all situations that it can be in (see
 *       {@link ReferenceSearch}); whoever is answered must have taken effect by then. This is the just-in-time linearization of
 *       Lowe (Testing for linearizability, 2017), after Wing and Gong (1993). The calls must end with reads of all references:
 *       so the order also leads to what the repository finally shows.
 * </ol>
 *
 * <p>Costs, for n calls and at most p of them at once, O(n p²) set operations as long as the order is forced, which is so for
 * appends; clients that create, assign and delete the same references at once, with unknown outcomes, multiply it by the
 * number of orders that remain possible.
 */
public final class HistoryChecker {

    /** The hash of no commit: where an empty reference is. */
    public static final String NOTHING = "2e1cfa82b035c26cbbbdae632cea070514eb8b773f616aaeaf668e2f0be8f10d";

    private final Commits commits;
    private final Map<String, String> initial;
    private final Map<String, List<Call>> calls = new TreeMap<>();
    private final List<Violation> violations = new ArrayList<>();

    private HistoryChecker(Map<String, String> initial, List<Call> calls, Collection<Recorded> commits) {
        this.initial = initial;
        this.commits = new Commits(commits);
        calls.forEach(call -> this.calls
                .computeIfAbsent(call.request().reference(), name -> new ArrayList<>())
                .add(call));
    }

    /**
     * Checks a history.
     *
     * @param initial where the references were before the first call; those not named were not there
     * @param calls of all clients in any order, ending with a read of each reference that starts after all others have ended
     * @param commits all that any answer or request names or any reference reaches by first parents, in any order
     * @return what is wrong; empty if all is explained
     */
    public static List<Violation> check(Map<String, String> initial, List<Call> calls, Collection<Recorded> commits) {
        return new HistoryChecker(initial, calls, commits).check();
    }

    private List<Violation> check() {
        commits.byToken().forEach(this::checkApplied);
        calls.forEach((reference, ofIt) -> {
            ofIt.forEach(this::checkOwn);
            checkLost(reference, ofIt);
            new ReferenceSearch(commits, initial.get(reference), ofIt)
                    .firstUnexplained()
                    .ifPresent(violations::add);
        });
        return List.copyOf(violations);
    }

    private void checkApplied(String token, List<Recorded> applied) {
        if (applied.size() > 1) {
            violations.add(new Violation(Kind.DOUBLED, "", "the request '" + token + "' made " + applied));
        }
    }

    /** 1. What one call says of itself, against the commits. */
    private void checkOwn(Call call) {
        if (!(call.request() instanceof Append append)) {
            return;
        }
        List<Recorded> applied = commits.ofToken(append.token());
        switch (call.answer()) {
            case Refused refused -> checkNotApplied(call, applied);
            case NotTried notTried -> checkNotApplied(call, applied);
            case Unknown unknown -> {}
            case Done(var head) -> {
                if (applied.stream().noneMatch(commit -> commit.id().equals(head))) {
                    add(Kind.NOT_ITS_COMMIT, call, "its commits are " + applied);
                }
            }
        }
        for (Recorded commit : applied) {
            if (append.expected() != null && !isUndisturbed(append, append.expected(), commit.parent())) {
                add(Kind.OVERWRITTEN, call, "made " + commit);
            }
        }
    }

    private boolean isUndisturbed(Append append, String expected, String parent) {
        return commits.isOnLine(expected, parent) && !commits.isChangedBetween(expected, parent, append.keys());
    }

    private void checkNotApplied(Call call, List<Recorded> applied) {
        if (!applied.isEmpty()) {
            add(Kind.REFUSED_BUT_APPLIED, call, "made " + applied);
        }
    }

    /** Says so in plain words where the search would only find that the last read cannot be explained. */
    private void checkLost(String reference, List<Call> ofIt) {
        Call last = ofIt.stream()
                .reduce((one, other) -> one.start() > other.start() ? one : other)
                .orElseThrow();
        boolean isOnlyAppendedTo = initial.containsKey(reference)
                && ofIt.stream()
                        .filter(call -> call.answer() instanceof Done || call.answer() instanceof Unknown)
                        .noneMatch(call -> call.request() instanceof Create
                                || call.request() instanceof Assign
                                || call.request() instanceof Delete);
        if (!isOnlyAppendedTo || !(last.answer() instanceof Done(var head))) {
            return;
        }
        for (Call call : ofIt) {
            if (call.request() instanceof Append
                    && call.answer() instanceof Done(var made)
                    && !commits.isOnLine(made, head)) {
                add(Kind.LOST, call, "and the branch ends at " + head);
            }
        }
    }

    private void add(Kind kind, Call call, String what) {
        violations.add(new Violation(kind, call.request().reference(), call + " " + what));
    }

    /** All that is wrong, a line each, for the message of a failed test. */
    public static String describe(Collection<Violation> violations) {
        return violations.stream().map(Violation::toString).collect(Collectors.joining("\n"));
    }
}
