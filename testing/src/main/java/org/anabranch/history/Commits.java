package org.anabranch.history;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The commits that are known, and questions about their first-parent lines. For one thread. */
final class Commits {

    private final Map<String, Recorded> byId = new HashMap<>();
    private final Map<String, List<Recorded>> byToken = new HashMap<>();
    private final Map<String, Integer> seqs = new HashMap<>();

    Commits(Collection<Recorded> commits) {
        commits.forEach(commit -> byId.put(commit.id(), commit));
        byId.values().forEach(commit -> byToken.merge(commit.token(), List.of(commit), Commits::joined));
        seqs.put(HistoryChecker.NOTHING, 0);
        byId.keySet().forEach(this::seq);
    }

    private static List<Recorded> joined(List<Recorded> some, List<Recorded> more) {
        Set<Recorded> all = new HashSet<>(some);
        all.addAll(more);
        return List.copyOf(all);
    }

    Map<String, List<Recorded>> byToken() {
        return byToken;
    }

    List<Recorded> ofToken(String token) {
        return byToken.getOrDefault(token, List.of());
    }

    boolean isOnLine(String ancestor, String head) {
        return isKnown(ancestor) && isKnown(head) && at(head, seq(ancestor)).equals(ancestor);
    }

    /** Whether a commit after {@code ancestor}, up to {@code head}, changed one of the keys. The former is on the latter's line. */
    boolean isChangedBetween(String ancestor, String head, Set<String> keys) {
        for (String at = head; !at.equals(ancestor); at = byId.get(at).parent()) {
            if (byId.get(at).keys().stream().anyMatch(keys::contains)) {
                return true;
            }
        }
        return false;
    }

    private boolean isKnown(String id) {
        return id.equals(HistoryChecker.NOTHING) || byId.containsKey(id);
    }

    private String at(String head, int seq) {
        String at = head;
        while (seq(at) > seq) {
            at = byId.get(at).parent();
        }
        return at;
    }

    /** Without recursion, because lines are long. */
    private int seq(String id) {
        int steps = 0;
        String at = id;
        while (!seqs.containsKey(at)) {
            Recorded commit = byId.get(at);
            if (commit == null) {
                throw new IllegalArgumentException("The parent " + at + " of a known commit is not known");
            }
            at = commit.parent();
            steps++;
        }
        int seq = seqs.get(at) + steps;
        int below = seq;
        for (String each = id; !seqs.containsKey(each); each = byId.get(each).parent()) {
            seqs.put(each, below--);
        }
        return seq;
    }
}
