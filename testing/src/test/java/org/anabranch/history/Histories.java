package org.anabranch.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.anabranch.history.Answer.Done;
import org.anabranch.history.Answer.Reason;
import org.anabranch.history.Answer.Refused;
import org.anabranch.history.Request.Append;
import org.anabranch.history.Request.Assign;
import org.anabranch.history.Request.Create;
import org.anabranch.history.Request.Delete;
import org.anabranch.history.Request.Read;
import org.jspecify.annotations.Nullable;

/** Histories made by hand. A commit is called by a word, which is its id and its token; times are small numbers. */
final class Histories {

    private final Map<String, String> initial = new HashMap<>();
    private final List<Call> calls = new ArrayList<>();
    private final List<Recorded> commits = new ArrayList<>();
    private long last;

    /** The empty branch {@code main}. */
    static Histories ofMain() {
        Histories histories = new Histories();
        histories.initial.put("main", HistoryChecker.NOTHING);
        return histories;
    }

    /** A line of commits from its first, each of which changes the key that it is called by. */
    Histories line(String... ids) {
        return lineFrom(HistoryChecker.NOTHING, ids);
    }

    Histories lineFrom(String parent, String... ids) {
        String at = parent;
        for (String id : ids) {
            commits.add(new Recorded(id, at, id, Set.of(id)));
            at = id;
        }
        return this;
    }

    Histories commit(String id, String parent, String token, String key) {
        commits.add(new Recorded(id, parent, token, Set.of(key)));
        return this;
    }

    Histories append(long start, long end, String token, Answer answer) {
        return append(start, end, token, null, token, answer);
    }

    Histories append(long start, long end, String token, @Nullable String expected, String key, Answer answer) {
        return call(start, end, new Append("main", token, expected, Set.of(key)), answer);
    }

    Histories create(long start, long end, String name, String target, Answer answer) {
        return call(start, end, new Create(name, target), answer);
    }

    Histories assign(long start, long end, String name, String from, String to, Answer answer) {
        return call(start, end, new Assign(name, from, to), answer);
    }

    Histories delete(long start, long end, String name, String at, Answer answer) {
        return call(start, end, new Delete(name, at), answer);
    }

    Histories read(long start, long end, String name, Answer answer) {
        return call(start, end, new Read(name), answer);
    }

    /** The read that ends the history of a reference. */
    Histories ends(String name, String head) {
        return read(last + 1, last + 2, name, new Done(head));
    }

    Histories endsMissing(String name) {
        return read(last + 1, last + 2, name, new Refused(Reason.MISSING));
    }

    private Histories call(long start, long end, Request request, Answer answer) {
        calls.add(new Call(request, start, end, answer));
        last = Math.max(last, end);
        return this;
    }

    List<Violation> check() {
        return HistoryChecker.check(initial, calls, commits);
    }
}
