package org.anabranch.rest.error;

import jakarta.ws.rs.core.Response.Status;
import java.time.Duration;
import java.util.Optional;
import org.anabranch.api.v2.ErrorBody;
import org.anabranch.api.v2.ErrorBody.ErrorDetails;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.RefusedException;
import org.jspecify.annotations.Nullable;

/** What answers to errors say, and what those say that end an exchange before a resource sees it. */
public final class ErrorBodies {

    /** When a request that was refused for lack of room is best sent again; batches take fractions of a second. */
    private static final String RETRY_AFTER_SECONDS = "1";

    private ErrorBodies() {}

    /** The status of each code. */
    private static Status status(ErrorCode code) {
        return switch (code) {
            case BAD_REQUEST -> Status.BAD_REQUEST;
            case FORBIDDEN -> Status.FORBIDDEN;
            case REFERENCE_NOT_FOUND, CONTENT_NOT_FOUND -> Status.NOT_FOUND;
            case REFERENCE_ALREADY_EXISTS, REFERENCE_CONFLICT -> Status.CONFLICT;
            case UNSUPPORTED_MEDIA_TYPE -> Status.UNSUPPORTED_MEDIA_TYPE;
            case TOO_MANY_REQUESTS -> Status.TOO_MANY_REQUESTS;
            case SERVICE_UNAVAILABLE -> Status.SERVICE_UNAVAILABLE;
            case UNKNOWN -> Status.INTERNAL_SERVER_ERROR;
        };
    }

    /** The status of what the framework refuses, a bad request if it has no name here; empty if it failed instead. */
    static Optional<Status> refusal(int status) {
        if (status < 400 || status >= 500) {
            return Optional.empty();
        }
        Status known = Status.fromStatusCode(status);
        return Optional.of(known == null ? Status.BAD_REQUEST : known);
    }

    /** In how many seconds to send the request again; empty if that is not known to help. */
    public static Optional<String> retryAfter(ErrorBody body) {
        return switch (body.errorCode()) {
            case TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE -> Optional.of(RETRY_AFTER_SECONDS);
            default -> Optional.empty();
        };
    }

    /** The answer to a refusal, without details. */
    public static ErrorBody of(RefusedException refusal) {
        return of(refusal, null);
    }

    static ErrorBody of(RefusedException refusal, @Nullable ErrorDetails details) {
        return of(status(refusal.code()), refusal.code(), refusal.getMessage(), details);
    }

    static ErrorBody of(Status status, ErrorCode code, String message) {
        return of(status, code, message, null);
    }

    private static ErrorBody of(Status status, ErrorCode code, String message, @Nullable ErrorDetails details) {
        return new ErrorBody(status.getStatusCode(), status.getReasonPhrase(), message, code, details, null);
    }

    /** The answer to a body that is larger than the limit. */
    public static ErrorBody tooLarge(long limitBytes) {
        return of(
                Status.REQUEST_ENTITY_TOO_LARGE,
                ErrorCode.BAD_REQUEST,
                "The body of the request is larger than the " + limitBytes
                        + " bytes, after decompression, that this server takes, or has as many values as take the memory of"
                        + " such a one: split the request, or raise anabranch.limits.request-body");
    }

    /** The answer to a body that is sent in a way that is not known here. */
    public static ErrorBody unknownTransfer(String encoding) {
        return of(
                Status.BAD_REQUEST,
                ErrorCode.BAD_REQUEST,
                "Transfer-Encoding: '" + encoding + "' is not supported; give chunked, or a Content-Length");
    }

    /** The answer to a body that takes too long to arrive. */
    public static ErrorBody tooSlow(Duration limit) {
        return of(
                Status.REQUEST_TIMEOUT,
                ErrorCode.BAD_REQUEST,
                "The body of the request did not arrive within the " + limit.toMillis()
                        + " ms that this server waits: send it in one go, or raise anabranch.limits.request-body-time");
    }

    /** The answer to a request that a page of another site made a browser send. */
    public static ErrorBody foreignPage(String header, String value) {
        return of(
                Status.FORBIDDEN,
                ErrorCode.FORBIDDEN,
                header + ": '" + value + "' is not this service, and a service that asks nobody who they are does not"
                        + " answer pages of other sites. Call it as localhost or by its address; if it is meant to be called"
                        + " like that, set anabranch.authentication.open-to-network=true.");
    }

    /** The answer to what the HTTP layer refuses, or fails at. */
    public static ErrorBody ofHttp(int status) {
        return refusal(status)
                .map(known -> of(known, ErrorCode.UNKNOWN, "The request is refused: " + known.getReasonPhrase()))
                .orElseGet(ErrorBodies::defect);
    }

    /** The answer to what fails here, whatever the request. */
    static ErrorBody defect() {
        return of(
                Status.INTERNAL_SERVER_ERROR,
                ErrorCode.UNKNOWN,
                "The server failed on this request, which is a defect of the server; its log says where.");
    }

    /** The answer to a request that comes when the service is ending. */
    public static ErrorBody ending() {
        return of(
                Status.SERVICE_UNAVAILABLE,
                ErrorCode.SERVICE_UNAVAILABLE,
                "The service is ending, and the request changed nothing. Send it again: to another replica, or later.");
    }

    /** The answer to a request that finds every thread at work and as many requests waiting as may. */
    public static ErrorBody full() {
        return of(
                Status.SERVICE_UNAVAILABLE,
                ErrorCode.SERVICE_UNAVAILABLE,
                "The service has as many requests as it works on and lets wait, and this one changed nothing. Send it"
                        + " again later, or raise quarkus.thread-pool.max-threads or quarkus.thread-pool.queue-size.");
    }

    /** The answer to a request whose token nobody can judge now. */
    public static ErrorBody providerUnavailable() {
        return of(
                Status.SERVICE_UNAVAILABLE,
                ErrorCode.SERVICE_UNAVAILABLE,
                "The token cannot be judged, because the provider that issues tokens does not answer. The request changed"
                        + " nothing. Send it again later.");
    }

    /** The answer to a request that no resource sees, and whose caller may not make it. */
    public static ErrorBody forbidden(String message) {
        return of(Status.FORBIDDEN, ErrorCode.FORBIDDEN, message);
    }
}
