package org.anabranch.filter;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.anabranch.model.ContentKey;
import org.anabranch.model.Entry;
import org.anabranch.model.ListedReference;
import org.anabranch.model.RefusedException;
import org.jspecify.annotations.Nullable;
import org.projectnessie.cel.checker.Decls;

/**
 * Compiles filters of the Common Expression Language, each once, and keeps the last ones used. Safe from many threads.
 *
 * <p>Every method takes the text as the client sent it. The empty text matches everything; a text of blanks is refused, as are
 * texts over the limit, syntax errors, undeclared names and fields, types that do not fit, and expressions too
 * deeply nested: a {@link org.anabranch.model.RefusedException} (bad request) that names the position.
 *
 * <p>The language with its standard functions and macros and no extensions, see
 * <a href="https://github.com/google/cel-spec">its specification</a>; {@code matches} takes patterns of RE2.
 */
public final class Filters {

    private static final int MAX_SHOWN = 200;

    private final FilterEnvironment<ListedReference> references;
    private final FilterEnvironment<Entry> entries;
    private final FilterEnvironment<HistoryView> history;
    private final FilterEnvironment<ContentKey> diff;
    private final FilterLimits limits;
    private final InstantSource clock;

    public Filters(FilterLimits limits, InstantSource clock) {
        this.limits = limits;
        this.clock = clock;
        references = new FilterEnvironment<>(
                Map.of(
                        "ref", CelTypes.REFERENCE.type(),
                        "refType", Decls.String,
                        "refMeta", CelTypes.METADATA.type(),
                        "commit", CelTypes.COMMIT.type()),
                Filters::ofReference,
                filter -> KeyScope.ALL,
                limits,
                FilterPurpose.FILTER);
        entries = new FilterEnvironment<>(
                Map.of("entry", CelTypes.ENTRY.type()),
                (entry, name) -> name.equals("entry") ? entry : null,
                KeyScopes.ofFields("entry")::of,
                limits,
                FilterPurpose.FILTER);
        history = new FilterEnvironment<>(
                Map.of("commit", CelTypes.COMMIT.type(), "operations", Decls.newListType(CelTypes.OPERATION.type())),
                Filters::ofHistory,
                filter -> KeyScope.ALL,
                limits,
                FilterPurpose.FILTER);
        diff = new FilterEnvironment<>(
                Map.of("key", CelTypes.KEY.type()),
                (key, name) -> name.equals("key") ? key : null,
                KeyScopes.ofFields("key")::of,
                limits,
                FilterPurpose.FILTER);
    }

    private static @Nullable Object ofReference(ListedReference listed, String name) {
        return switch (name) {
            case "ref" -> listed;
            case "refType" -> listed.reference().kind().name();
            case "refMeta" -> new CelTypes.Metadata(listed.metadata());
            case "commit" ->
                new CelTypes.Commit(
                        listed.metadata() == null ? null : listed.metadata().head());
            default -> null;
        };
    }

    private static @Nullable Object ofHistory(HistoryView item, String name) {
        return switch (name) {
            case "commit" -> new CelTypes.Commit(item.commit());
            case "operations" ->
                item.operations().get().stream().map(CelTypes.OperationOf::new).toList();
            default -> null;
        };
    }

    /** Filters of references: {@code ref}, {@code refType}, {@code refMeta}, {@code commit}. */
    public Filter<ListedReference> references(String text) {
        return references.filter(text);
    }

    /** Filters of entries: {@code entry}. */
    public Filter<Entry> entries(String text) {
        return entries.filter(text);
    }

    /** Filters of histories: {@code commit}, {@code operations}. */
    public Filter<HistoryView> history(String text) {
        return history.filter(text);
    }

    /** Filters of differences: {@code key}. */
    public Filter<ContentKey> diff(String text) {
        return diff.filter(text);
    }

    /** The same filter for one request: it is refused (bad request) when its time from now on is over. */
    public <T> Filter<T> timed(Filter<T> filter) {
        Instant end = clock.instant().plus(limits.time());
        return filter.limited(() -> {
            if (clock.instant().isAfter(end)) {
                throw RefusedException.badRequest(
                        "Filter took longer than the limit of "
                                + limits.time().toMillis()
                                + " ms: narrow the request with prefix-key or max-records, or raise anabranch.limits.filter-time");
            }
        });
    }

    /** A filter as messages quote it. */
    static String shown(String text) {
        return text.codePointCount(0, text.length()) <= MAX_SHOWN
                ? text
                : text.substring(0, text.offsetByCodePoints(0, MAX_SHOWN)) + "...";
    }
}
