package org.anabranch.api.v2;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the next page begins. Written behind the items of a page, because a page is written as it is read and only its end
 * knows.
 */
public final class NextPage {

    private final Supplier<Optional<String>> next;

    private NextPage(Supplier<Optional<String>> next) {
        this.next = next;
    }

    /** @param next asked after the last item was taken; empty for the last page */
    public static NextPage of(Supplier<Optional<String>> next) {
        return new NextPage(next);
    }

    /** Null iff there is no further page. */
    @JsonProperty
    @Nullable
    String token() {
        return next.get().orElse(null);
    }

    @JsonProperty
    boolean hasMore() {
        return next.get().isPresent();
    }
}
