package org.anabranch.store.embedded;

import java.util.Collection;
import java.util.stream.Collectors;
import org.anabranch.model.CommitId;

/** A list of any length as the one parameter of a statement, to be taken apart by {@code json_each}. */
final class JsonLists {

    private JsonLists() {}

    static String ofNumbers(Collection<Long> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]"));
    }

    /** As hex digits. */
    static String ofIds(Collection<CommitId> ids) {
        return ids.stream().map(id -> "\"" + id + "\"").collect(Collectors.joining(",", "[", "]"));
    }
}
