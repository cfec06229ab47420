package org.anabranch.rest;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.anabranch.api.ext.ExtPaths;
import org.anabranch.api.v2.Paths;

/**
 * Encodes the slashes of references in paths before the path is matched, so that each reference is one segment:
 * {@code fe/x@/entries} becomes {@code fe%2Fx@/entries}. Done by hand in one pass, because the pattern that says the same takes
 * the framework's search cubic time, and anybody can send a long path.
 *
 * <p>Semicolons are encoded as well: to the framework they begin parameters of a segment, to clients they belong to a key.
 */
@Singleton
public final class SlashesInReferences {

    private static final int PRIORITY = 90;
    private static final String KEY = "{key}";

    /** An API, and what can follow a reference there. */
    private record Api(String prefix, Set<List<String>> tails) {}

    private static final List<Api> APIS = List.of(
            new Api(
                    Paths.TREES + "/",
                    Set.of(
                            List.of(),
                            List.of("entries"),
                            List.of("contents"),
                            List.of("contents", KEY),
                            List.of("recent-changes"),
                            List.of("history"),
                            List.of("history", "commit"),
                            List.of("history", "merge"),
                            List.of("history", "transplant"))),
            new Api(
                    ExtPaths.TREES + "/",
                    Set.of(
                            List.of("entries"),
                            List.of("children"),
                            List.of("count"),
                            List.of("contents", KEY, "history"),
                            List.of("contents", KEY, "revert"),
                            List.of("history", "revert"))));

    void register(@Observes Filters filters) {
        filters.register(this::reroute, PRIORITY);
    }

    private void reroute(RoutingContext exchange) {
        String query = exchange.request().query();
        rewritten(exchange.request().path())
                .ifPresentOrElse(path -> exchange.reroute(query == null ? path : path + "?" + query), exchange::next);
    }

    /** The path with encoded slashes; empty if it is good as it is. */
    static Optional<String> rewritten(String path) {
        // Without any of these, as in most requests, each segment stays as it is.
        if (path == null || path.indexOf('@') < 0 && path.indexOf(';') < 0 && !path.contains("%40")) {
            return Optional.empty();
        }
        return APIS.stream()
                .filter(api -> path.startsWith(api.prefix()))
                .map(api -> api.prefix()
                        + String.join(
                                "/",
                                references(
                                        api,
                                        segments(path.substring(api.prefix().length())))))
                .filter(result -> !result.equals(path))
                .findFirst();
    }

    private static List<String> segments(String path) {
        return List.of(path.replace(";", "%3B").split("/", -1));
    }

    /** Joins the segments that belong to one reference. */
    private static List<String> references(Api api, List<String> segments) {
        if (isTail(api, segments.subList(1, segments.size()))) {
            return withTarget(segments.get(0), segments.subList(1, segments.size()));
        }
        int end = endOfReference(segments);
        return withTarget(joined(segments.subList(0, end)), segments.subList(end, segments.size()));
    }

    /** A first reference and what follows it, which may hold another one. */
    private static List<String> withTarget(String reference, List<String> tail) {
        if (isDiff(tail)) {
            return List.of(reference, "diff", joined(tail.subList(1, tail.size())));
        }
        return Stream.concat(Stream.of(reference), tail.stream()).toList();
    }

    private static boolean isTail(Api api, List<String> segments) {
        List<String> tail = new ArrayList<>(segments);
        if (tail.size() >= 2 && tail.get(0).equals("contents")) {
            tail.set(1, KEY);
        }
        return isDiff(segments) || api.tails().contains(tail);
    }

    /** Whether these are {@code diff} and one reference that takes all the rest. */
    private static boolean isDiff(List<String> segments) {
        return segments.size() >= 2
                && segments.get(0).equals("diff")
                && endOfReference(segments.subList(1, segments.size())) == segments.size() - 1;
    }

    /** How many segments the reference at the beginning takes: up to the first at sign, or one if there is none. */
    private static int endOfReference(List<String> segments) {
        for (int i = 0; i < segments.size(); i++) {
            if (segments.get(i).contains("@") || segments.get(i).contains("%40")) {
                return i + 1;
            }
        }
        return 1;
    }

    private static String joined(List<String> segments) {
        return String.join("%2F", segments);
    }
}
