package org.anabranch.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.anabranch.history.Answer.Done;
import org.anabranch.history.Answer.NotTried;
import org.anabranch.history.Answer.Reason;
import org.anabranch.history.Answer.Refused;
import org.anabranch.history.Answer.Unknown;
import org.anabranch.history.Request.Append;
import org.anabranch.history.Request.Assign;
import org.anabranch.history.Request.Create;
import org.anabranch.history.Request.Delete;
import org.anabranch.history.Request.Read;
import org.anabranch.history.Violation.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Looks for an order of the calls of one reference, in order of time and with all possibilities at once. For one thread.
 *
 * <p>A {@link Situation} is where the reference may be, with the calls under way that have taken effect already. A call that
 * begins changes no situation. When one ends, every situation in which it has not taken effect is developed, by all orders of
 * calls under way, until it has; those in which it cannot are dropped. The call that leaves none is the one that cannot be
 * explained. Effects are put off until somebody's answer needs them, which loses nothing: whoever is under way then still is.
 *
 * <p>A call that moves nothing (a read, a refusal) counts as done in the first state that answers it so. That loses nothing
 * either, for it leaves the reference where it is. So does a delete that is acknowledged while another one takes the reference
 * away: who cannot know whose delete it was is told that the reference is gone, as it is.
 */
final class ReferenceSearch {

    /** Where a reference is; {@code head} is null if it is not there. */
    private record State(@Nullable String head) {}

    private record Move(State from, State to) {}

    /** A call, told apart from others that look the same. */
    private static final class Step {
        private final Call call;
        /** How it changes the reference if it takes effect; null if it does not. */
        private final @Nullable Move move;

        private Step(Call call, @Nullable Move move) {
            this.call = call;
            this.move = move;
        }

        private boolean isOpenEnded() {
            return call.answer() instanceof Unknown;
        }
    }

    private record Event(long time, boolean isEnd, Step step) {}

    /** @param done the steps under way that have taken effect */
    private record Situation(State state, Set<Step> done) {

        Situation without(Step step) {
            Set<Step> rest = new HashSet<>(done);
            rest.remove(step);
            return new Situation(state, rest);
        }
    }

    private final Commits commits;
    private final List<Call> calls;
    private final Set<Step> underWay = new LinkedHashSet<>();
    private Set<Situation> situations;

    /** @param initial head of the reference; null if it is not there */
    ReferenceSearch(Commits commits, @Nullable String initial, List<Call> calls) {
        this.commits = commits;
        this.calls = calls;
        this.situations = Set.of(new Situation(new State(initial), Set.of()));
    }

    /** The first call by time of its answer for which there is no order, if there is one. */
    Optional<Violation> firstUnexplained() {
        for (Event event : events()) {
            if (event.isEnd()) {
                Set<Situation> before = situations;
                situations = ended(event.step());
                if (situations.isEmpty()) {
                    return Optional.of(violation(event.step().call, before));
                }
                underWay.remove(event.step());
                forgetSettled();
            } else {
                underWay.add(event.step());
                situations = begun();
            }
        }
        return Optional.empty();
    }

    /** What starts at the instant at which another ends counts as beside it. */
    private List<Event> events() {
        List<Event> events = new ArrayList<>();
        for (Call call : calls) {
            Step step = new Step(call, move(call));
            if (call.answer() instanceof NotTried || step.isOpenEnded() && step.move == null) {
                continue;
            }
            events.add(new Event(call.start(), false, step));
            if (!step.isOpenEnded()) {
                events.add(new Event(call.end(), true, step));
            }
        }
        events.sort(Comparator.comparingLong(Event::time).thenComparing(Event::isEnd));
        return events;
    }

    private Set<Situation> begun() {
        Set<Situation> next = new LinkedHashSet<>();
        situations.forEach(each -> next.add(arrived(each.state(), each.done(), false)));
        return next;
    }

    private Set<Situation> ended(Step step) {
        Set<Situation> next = new LinkedHashSet<>();
        Set<Situation> seen = new HashSet<>();
        List<Situation> open = new ArrayList<>(situations);
        while (!open.isEmpty()) {
            Situation situation = open.removeLast();
            if (!seen.add(situation)) {
                continue;
            }
            if (situation.done().contains(step)) {
                next.add(situation.without(step));
                continue;
            }
            for (Step other : underWay) {
                Move move = other.move;
                if (move != null
                        && move.from().equals(situation.state())
                        && !situation.done().contains(other)) {
                    Set<Step> done = new HashSet<>(situation.done());
                    done.add(other);
                    open.add(arrived(move.to(), done, true));
                }
            }
        }
        return next;
    }

    /** A situation with the steps that move nothing and are answered by its state. */
    private Situation arrived(State state, Set<Step> done, boolean byMove) {
        Set<Step> all = new HashSet<>(done);
        underWay.stream()
                .filter(step -> step.move == null
                        ? isAnsweredBy(step.call, state, byMove)
                        : byMove && state.head() == null && isAcknowledgedDelete(step.call))
                .forEach(all::add);
        return new Situation(state, all);
    }

    private static boolean isAcknowledgedDelete(Call call) {
        return call.request() instanceof Delete && call.answer() instanceof Done;
    }

    /** Steps without an end would stay for ever. */
    private void forgetSettled() {
        List<Step> settled = underWay.stream()
                .filter(Step::isOpenEnded)
                .filter(step -> situations.stream().allMatch(each -> each.done().contains(step)))
                .toList();
        for (Step step : settled) {
            underWay.remove(step);
            Set<Situation> next = new LinkedHashSet<>();
            situations.forEach(each -> next.add(each.without(step)));
            situations = next;
        }
    }

    private @Nullable Move move(Call call) {
        if (!(call.answer() instanceof Done || call.answer() instanceof Unknown)) {
            return null;
        }
        return switch (call.request()) {
            case Read read -> null;
            case Append append ->
                commits.ofToken(append.token()).stream()
                        .findFirst()
                        .map(made -> new Move(new State(made.parent()), new State(made.id())))
                        .orElse(null);
            case Create(var name, var target) -> new Move(new State(null), new State(target));
            case Assign(var name, var expected, var target) -> new Move(new State(expected), new State(target));
            case Delete(var name, var expected) -> new Move(new State(expected), new State(null));
        };
    }

    /** @param byMove whether the state was reached just now */
    private boolean isAnsweredBy(Call call, State state, boolean byMove) {
        return switch (call.answer()) {
            case Done(var head) -> call.request() instanceof Read && head.equals(state.head());
            case Refused(var reason) -> isReason(reason, call.request(), state.head(), byMove);
            case NotTried notTried -> false;
            case Unknown unknown -> false;
        };
    }

    private boolean isReason(Reason reason, Request request, @Nullable String head, boolean byMove) {
        if (head == null) {
            return reason == Reason.MISSING;
        }
        return switch (reason) {
            case MISSING ->
                request instanceof Append append
                        && append.expected() != null
                        && !commits.isOnLine(append.expected(), head);
            case EXISTS -> true;
            // Also of a reference that came back to where it was while the call was under way: it was changed all the
            // same.
            case ELSEWHERE ->
                byMove && (request instanceof Assign || request instanceof Delete)
                        || request instanceof Assign assign
                                && !assign.expected().equals(head)
                        || request instanceof Delete delete
                                && !delete.expected().equals(head);
            case KEPT_MOVING -> byMove;
            case CONFLICT -> request instanceof Append append && isConflict(append, head);
        };
    }

    /** Of a merge and the like, whose conflicts are decided otherwise, it is only known that the branch is there. */
    private boolean isConflict(Append append, String head) {
        return append.expected() == null
                || append.keys().isEmpty()
                || commits.isOnLine(append.expected(), head)
                        && commits.isChangedBetween(append.expected(), head, append.keys());
    }

    private static Violation violation(Call call, Set<Situation> before) {
        Kind kind = call.request() instanceof Read
                ? Kind.STALE_READ
                : call.answer() instanceof Refused ? Kind.REFUSED_WITHOUT_CAUSE : Kind.OUT_OF_ORDER;
        List<String> heads = before.stream()
                .map(situation -> Objects.toString(situation.state().head(), "nowhere"))
                .distinct()
                .toList();
        return new Violation(kind, call.request().reference(), call + " while it could be at " + heads);
    }
}
