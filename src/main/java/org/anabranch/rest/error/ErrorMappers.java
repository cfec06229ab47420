package org.anabranch.rest.error;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import jakarta.ws.rs.NotAcceptableException;
import jakarta.ws.rs.NotAllowedException;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.NotSupportedException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.ResponseBuilder;
import jakarta.ws.rs.core.Response.Status;
import jakarta.ws.rs.core.UriInfo;
import java.io.IOException;
import java.time.Duration;
import org.anabranch.api.v2.ErrorBody;
import org.anabranch.api.v2.ErrorBody.ErrorDetails;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.RefusedException;
import org.anabranch.store.MissingRowException;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.StoreUnavailableException;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;
import org.jspecify.annotations.Nullable;

/** Turns every exception that reaches the door into an answer with an {@link ErrorBody}. */
public final class ErrorMappers {

    /** When a request that was refused for lack of room is best sent again; batches take fractions of a second. */
    public static final String RETRY_AFTER_SECONDS = "1";

    private static final Logger LOG = Logger.getLogger(ErrorMappers.class);
    private static final String CLIENT_SPEC = "Nessie-Client-Spec";
    private static final String DEFECT =
            "The server failed on this request, which is a defect of the server; its log says where.";

    /** The property of a request that tells the trail of a denial, whose answer does not. */
    public static final String DENIAL = "org.anabranch.denial";

    /** The status of each code. */
    static Status status(ErrorCode code) {
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

    @ServerExceptionMapper
    public Response refused(RefusedException refusal, HttpHeaders headers, ContainerRequestContext request) {
        if (refusal.denial() != null) {
            request.setProperty(DENIAL, refusal.denial());
        }
        return answer(
                status(refusal.code()),
                refusal.code(),
                refusal.getMessage(),
                readsDetails(headers.getHeaderString(CLIENT_SPEC)) ? details(refusal) : null);
    }

    /**
     * What Jackson threw, or what it wrapped: the reader of the body and the pages of a listing, which are read while their
     * answer is written, throw exceptions of ours through it.
     */
    @ServerExceptionMapper
    public Response badJson(JsonProcessingException problem, HttpHeaders headers, ContainerRequestContext request) {
        for (Throwable cause = problem.getCause(); cause != null; cause = cause.getCause()) {
            switch (cause) {
                case BodyTooLargeException tooLarge -> {
                    return tooLarge(tooLarge);
                }
                case RefusedException refusal -> {
                    return refused(refusal, headers, request);
                }
                case StoreUnavailableException unavailable -> {
                    return unavailable(unavailable);
                }
                case MissingRowException deleted -> {
                    return deleted(deleted);
                }
                default -> {}
            }
        }
        boolean isOurs = problem.getProcessor() instanceof JsonGenerator
                || problem.getCause() instanceof RuntimeException && !(problem instanceof ValueInstantiationException);
        return isOurs
                ? unexpected(problem)
                : answer(Status.BAD_REQUEST, ErrorCode.BAD_REQUEST, JsonProblems.message(problem), null);
    }

    /** Named by its own class, because the framework has an answer of its own to it. */
    @ServerExceptionMapper
    public Response badValue(MismatchedInputException problem, HttpHeaders headers, ContainerRequestContext request) {
        return badJson(problem, headers, request);
    }

    @ServerExceptionMapper
    public Response tooLarge(BodyTooLargeException problem) {
        return answer(tooLarge(problem.limitBytes()));
    }

    /** A client that went away, or stopped sending, before its body was whole: nothing of ours failed. */
    @ServerExceptionMapper
    public Response cutOff(IOException problem) {
        LOG.debug("A body did not arrive whole", problem);
        return answer(Status.BAD_REQUEST, ErrorCode.BAD_REQUEST, "The body of the request did not arrive whole", null);
    }

    /** The answer to a body that is larger than the limit. */
    public static ErrorBody tooLarge(long limitBytes) {
        return body(
                Status.REQUEST_ENTITY_TOO_LARGE,
                ErrorCode.BAD_REQUEST,
                "The body of the request is larger than the " + limitBytes
                        + " bytes, after decompression, that this server takes: split the request, or raise"
                        + " anabranch.limits.request-body",
                null);
    }

    /** The answer to a body that is sent in a way that is not known here. */
    public static ErrorBody unknownTransfer(String encoding) {
        return body(
                Status.BAD_REQUEST,
                ErrorCode.BAD_REQUEST,
                "Transfer-Encoding: '" + encoding + "' is not supported; give chunked, or a Content-Length",
                null);
    }

    /** The answer to a body that takes too long to arrive. */
    public static ErrorBody tooSlow(Duration limit) {
        return body(
                Status.REQUEST_TIMEOUT,
                ErrorCode.BAD_REQUEST,
                "The body of the request did not arrive within the " + limit.toMillis()
                        + " ms that this server waits: send it in one go, or raise anabranch.limits.request-body-time",
                null);
    }

    /** The answer to a request that a page of another site made a browser send. */
    public static ErrorBody foreignPage(String header, String value) {
        return body(
                Status.FORBIDDEN,
                ErrorCode.FORBIDDEN,
                header + ": '" + value + "' is not this service, and a service that asks nobody who they are does not"
                        + " answer pages of other sites. Call it as localhost or by its address; if it is meant to be called"
                        + " like that, set anabranch.authentication.open-to-network=true.",
                null);
    }

    /** The same refusal for an exchange that no resource sees. */
    public static ErrorBody body(RefusedException refusal) {
        return body(status(refusal.code()), refusal.code(), refusal.getMessage(), null);
    }

    /** The answer to what the HTTP layer refuses, or fails at. */
    public static ErrorBody ofHttp(int status) {
        Status known = Status.fromStatusCode(status);
        return known == null || status >= 500
                ? body(Status.INTERNAL_SERVER_ERROR, ErrorCode.UNKNOWN, DEFECT, null)
                : body(known, ErrorCode.UNKNOWN, "The request is refused: " + known.getReasonPhrase(), null);
    }

    /** The answer to a request that comes when the service is ending. */
    public static ErrorBody ending() {
        return body(
                Status.SERVICE_UNAVAILABLE,
                ErrorCode.SERVICE_UNAVAILABLE,
                "The service is ending, and the request changed nothing. Send it again: to another replica, or later.",
                null);
    }

    /** The answer to a request that finds every thread at work and as many requests waiting as may. */
    public static ErrorBody full() {
        return body(
                Status.SERVICE_UNAVAILABLE,
                ErrorCode.SERVICE_UNAVAILABLE,
                "The service has as many requests as it works on and lets wait, and this one changed nothing. Send it"
                        + " again later, or raise quarkus.thread-pool.max-threads or quarkus.thread-pool.queue-size.",
                null);
    }

    /** The answer to a request whose token nobody can judge now. */
    public static ErrorBody providerUnavailable() {
        return body(
                Status.SERVICE_UNAVAILABLE,
                ErrorCode.SERVICE_UNAVAILABLE,
                "The token cannot be judged, because the provider that issues tokens does not answer. The request changed"
                        + " nothing. Send it again later.",
                null);
    }

    /** The answer to a request that no resource sees, and whose caller may not make it. */
    public static ErrorBody forbidden(String message) {
        return body(Status.FORBIDDEN, ErrorCode.FORBIDDEN, message, null);
    }

    @ServerExceptionMapper
    public Response unavailable(StoreUnavailableException problem) {
        LOG.debug("The store is unavailable", problem);
        return answer(
                Status.SERVICE_UNAVAILABLE,
                ErrorCode.SERVICE_UNAVAILABLE,
                "The store is unavailable, and the request changed nothing. Send it again later.",
                null);
    }

    /** Of a commit that no reference leads to, the sweep may take rows while the request is at work. */
    @ServerExceptionMapper
    public Response deleted(MissingRowException problem) {
        LOG.warn(
                "A request met rows that are not stored. If a reference leads to the commit it named, the repository is"
                        + " damaged: check it (anabranch check). Otherwise they were swept. "
                        + problem.getMessage());
        return answer(
                Status.NOT_FOUND,
                ErrorCode.REFERENCE_NOT_FOUND,
                "A commit that the request names, or one before it, is not found any more: commits that no branch or"
                        + " tag leads to are deleted after some time.",
                null);
    }

    @ServerExceptionMapper
    public Response unknown(OutcomeUnknownException problem) {
        LOG.debug("The outcome of a write is unknown", problem);
        return undecided(
                "The store did not say whether it wrote. Look at the reference before you send the request again.");
    }

    /** Whether a write that ended in this way may have happened. */
    public static boolean isUndecided(Throwable problem) {
        return problem instanceof OutcomeUnknownException || problem instanceof UndecidedException;
    }

    @ServerExceptionMapper
    public Response undecided(UndecidedException problem) {
        return undecided(problem.getMessage());
    }

    /** Without a time to send it again, which clients might do without looking. */
    private static Response undecided(String message) {
        return plain(body(Status.SERVICE_UNAVAILABLE, ErrorCode.SERVICE_UNAVAILABLE, message, null))
                .build();
    }

    /** What the framework refuses before a resource is called. */
    @ServerExceptionMapper
    public Response framework(
            WebApplicationException problem, UriInfo uri, HttpHeaders headers, ContainerRequestContext request) {
        if (problem.getCause() instanceof JsonProcessingException json) {
            return badJson(json, headers, request);
        }
        String what = request.getMethod() + " " + uri.getPath();
        int status = problem.getResponse().getStatus();
        if (problem instanceof NotFoundException) {
            return answer(
                    Status.NOT_FOUND,
                    ErrorCode.UNKNOWN,
                    "There is nothing at " + what + ": the API is below /api/v2, such as GET /api/v2/trees",
                    null);
        }
        if (problem instanceof NotAllowedException) {
            Response refusal = answer(
                    Status.METHOD_NOT_ALLOWED,
                    ErrorCode.UNKNOWN,
                    what + ": the path exists and does not take this method",
                    null);
            String allowed = problem.getResponse().getHeaderString(HttpHeaders.ALLOW);
            return allowed == null
                    ? refusal
                    : Response.fromResponse(refusal)
                            .header(HttpHeaders.ALLOW, allowed)
                            .build();
        }
        if (problem instanceof NotAcceptableException) {
            return answer(
                    Status.NOT_ACCEPTABLE,
                    ErrorCode.UNKNOWN,
                    "Accept: answers come as application/json, which the request does not accept",
                    null);
        }
        if (problem instanceof NotSupportedException) {
            return answer(
                    Status.UNSUPPORTED_MEDIA_TYPE,
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                    "Content-Type: bodies are taken as application/json only",
                    null);
        }
        if (status >= 400 && status < 500) {
            return answer(
                    Status.fromStatusCode(status), ErrorCode.BAD_REQUEST, what + ": " + problem.getMessage(), null);
        }
        return unexpected(problem);
    }

    @ServerExceptionMapper
    public Response unexpected(Throwable problem) {
        LOG.error("A request failed", problem);
        return answer(Status.INTERNAL_SERVER_ERROR, ErrorCode.UNKNOWN, DEFECT, null);
    }

    private static @Nullable ErrorDetails details(RefusedException refusal) {
        if (!refusal.conflicts().isEmpty()) {
            return new ErrorBody.ReferenceConflicts(refusal.conflicts());
        }
        return refusal.key() == null ? null : new ErrorBody.ContentKeyDetails(refusal.key());
    }

    /** Whether the caller's protocol knows details: its version starts with an integer of 2 or more. */
    static boolean readsDetails(@Nullable String clientSpec) {
        if (clientSpec == null) {
            return false;
        }
        int dot = clientSpec.indexOf('.');
        String major = (dot < 0 ? clientSpec : clientSpec.substring(0, dot)).trim();
        try {
            return Integer.parseInt(major) >= 2;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static Response answer(Status status, ErrorCode code, String message, @Nullable ErrorDetails details) {
        return answer(body(status, code, message, details));
    }

    private static ErrorBody body(Status status, ErrorCode code, String message, @Nullable ErrorDetails details) {
        return new ErrorBody(status.getStatusCode(), status.getReasonPhrase(), message, code, details, null);
    }

    private static Response answer(ErrorBody body) {
        ResponseBuilder answer = plain(body);
        return switch (body.errorCode()) {
            case TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE ->
                answer.header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS).build();
            default -> answer.build();
        };
    }

    private static ResponseBuilder plain(ErrorBody body) {
        return Response.status(body.status())
                .type(MediaType.APPLICATION_JSON_TYPE)
                .entity(body);
    }
}
