package org.anabranch.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.anabranch.model.CommitId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.KeyEncoding;
import org.jspecify.annotations.Nullable;

/**
 * One line of the audit trail, as JSON. What callers can choose freely is cut, so that no record is longer than some kilobytes.
 *
 * @param time when it was written
 * @param request who asked for what, and from where
 * @param effect what became of it; null of an intent
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record AuditEntry(
        Instant time,
        Event event,
        @JsonUnwrapped Request request,

        @JsonUnwrapped @Nullable Effect effect) {

    private static final int MOST_KEYS = 100;
    private static final int LONGEST_TEXT = 1_000;

    /** What a record is of. The JSON form is in lower case. */
    public enum Event {
        /** A write, or what an operator asks for, that is about to be tried. */
        INTENT,
        /** A write that ended. */
        WRITE,
        /** A request that was not allowed, or whose caller was not known. */
        DENIAL,
        /** What an operator asked of the management port ended. */
        ADMIN;

        @JsonValue
        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How a request ended. The JSON form is in lower case. */
    public enum Outcome {
        DONE,
        /** A run was begun that goes on by itself. */
        STARTED,
        /** There was nothing to do. */
        UNCHANGED,
        CONFLICT,
        /** It was wrong, or named what is not there, or came at the wrong time. */
        REFUSED,
        DENIED,
        /** It was denied, and answered as if what it named were not there. */
        HIDDEN,
        UNAUTHENTICATED,
        /** Nobody knows whether it was done. */
        UNDECIDED,
        FAILED;

        @JsonValue
        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Who asked for what, and from where.
     *
     * @param id made here, of this request alone; all its records have it
     * @param requestId what the client calls the request, which may be what it calls others; the same as the id if it has no name for it
     * @param user empty where nobody is asked
     * @param operation a word for writes; method and path of other requests
     * @param reference empty if the request is of none
     * @param keys some of those that are changed
     * @param moreKeys how many are left out
     * @param client its address; behind a proxy that is trusted, what the proxy says of it
     * @param connection the address of the other end of the connection, if that is not the client
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Request(
            String id,
            String requestId,
            String user,
            List<String> roles,
            String operation,
            String reference,
            List<String> keys,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) int moreKeys,
            String client,
            String connection,
            String userAgent) {

        public Request {
            roles = List.copyOf(roles);
            keys = List.copyOf(keys);
            requestId = cut(requestId);
            operation = cut(operation);
            reference = cut(reference);
            client = cut(client);
            userAgent = cut(userAgent);
        }

        /** The same request with what it is known to change. */
        Request of(String changedReference, Collection<ContentKey> changedKeys) {
            return new Request(
                    id,
                    requestId,
                    user,
                    roles,
                    operation,
                    changedReference,
                    changedKeys.stream()
                            .limit(MOST_KEYS)
                            .map(KeyEncoding.CANONICAL::encode)
                            .toList(),
                    Math.max(0, changedKeys.size() - MOST_KEYS),
                    client,
                    connection,
                    userAgent);
        }
    }

    /**
     * What became of a request.
     *
     * @param oldHead where the reference was; null if that is not known or nothing was changed
     * @param newHead where it is; null if nothing was changed, or there is no such reference any more
     * @param detail the words of a refusal; empty if there was none
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Effect(
            Outcome outcome,
            @Nullable CommitId oldHead,
            @Nullable CommitId newHead,
            String detail) {

        public Effect {
            detail = cut(detail);
        }

        public static Effect of(Outcome outcome, String detail) {
            return new Effect(outcome, null, null, detail);
        }

        public static Effect done(@Nullable CommitId oldHead, @Nullable CommitId newHead) {
            return new Effect(Outcome.DONE, oldHead, newHead, "");
        }
    }

    private static String cut(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "...";
    }
}
