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

    /** The property of a request that tells the trail of a denial, whose answer does not. */
    public static final String DENIAL = "org.anabranch.denial";

    private static final Logger LOG = Logger.getLogger(ErrorMappers.class);
    private static final String CLIENT_SPEC = "Nessie-Client-Spec";

    @ServerExceptionMapper
    public Response refused(RefusedException refusal, HttpHeaders headers, ContainerRequestContext request) {
        if (refusal.denial() != null) {
            request.setProperty(DENIAL, refusal.denial());
        }
        return answer(
                ErrorBodies.of(refusal, readsDetails(headers.getHeaderString(CLIENT_SPEC)) ? details(refusal) : null));
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
                : answer(Status.BAD_REQUEST, ErrorCode.BAD_REQUEST, JsonProblems.message(problem));
    }

    /** Named by its own class, because the framework has an answer of its own to it. */
    @ServerExceptionMapper
    public Response badValue(MismatchedInputException problem, HttpHeaders headers, ContainerRequestContext request) {
        return badJson(problem, headers, request);
    }

    @ServerExceptionMapper
    public Response tooLarge(BodyTooLargeException problem) {
        return answer(ErrorBodies.tooLarge(problem.limitBytes()));
    }

    /** A client that went away, or stopped sending, before its body was whole: nothing of ours failed. */
    @ServerExceptionMapper
    public Response cutOff(IOException problem) {
        LOG.debug("A body did not arrive whole", problem);
        return answer(Status.BAD_REQUEST, ErrorCode.BAD_REQUEST, "The body of the request did not arrive whole");
    }

    @ServerExceptionMapper
    public Response unavailable(StoreUnavailableException problem) {
        LOG.debug("The store is unavailable", problem);
        return answer(
                Status.SERVICE_UNAVAILABLE,
                ErrorCode.SERVICE_UNAVAILABLE,
                "The store is unavailable, and the request changed nothing. Send it again later.");
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
                        + " tag leads to are deleted after some time.");
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
        return plain(ErrorBodies.of(Status.SERVICE_UNAVAILABLE, ErrorCode.SERVICE_UNAVAILABLE, message))
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
        return switch (problem) {
            case NotFoundException missing ->
                answer(
                        Status.NOT_FOUND,
                        ErrorCode.UNKNOWN,
                        "There is nothing at " + what + ": the API is below /api/v2, such as GET /api/v2/trees");
            case NotAllowedException wrongMethod -> {
                ResponseBuilder refusal = plain(ErrorBodies.of(
                        Status.METHOD_NOT_ALLOWED,
                        ErrorCode.UNKNOWN,
                        what + ": the path exists and does not take this method"));
                String allowed = problem.getResponse().getHeaderString(HttpHeaders.ALLOW);
                yield (allowed == null ? refusal : refusal.header(HttpHeaders.ALLOW, allowed)).build();
            }
            case NotAcceptableException otherForm ->
                answer(
                        Status.NOT_ACCEPTABLE,
                        ErrorCode.UNKNOWN,
                        "Accept: answers come as application/json, which the request does not accept");
            case NotSupportedException otherForm ->
                answer(
                        Status.UNSUPPORTED_MEDIA_TYPE,
                        ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                        "Content-Type: bodies are taken as application/json only");
            default ->
                ErrorBodies.refusal(problem.getResponse().getStatus())
                        .map(status -> answer(status, ErrorCode.BAD_REQUEST, what + ": " + problem.getMessage()))
                        .orElseGet(() -> unexpected(problem));
        };
    }

    @ServerExceptionMapper
    public Response unexpected(Throwable problem) {
        LOG.error("A request failed", problem);
        return answer(ErrorBodies.defect());
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

    private static Response answer(Status status, ErrorCode code, String message) {
        return answer(ErrorBodies.of(status, code, message));
    }

    private static Response answer(ErrorBody body) {
        ResponseBuilder answer = plain(body);
        ErrorBodies.retryAfter(body).ifPresent(seconds -> answer.header(HttpHeaders.RETRY_AFTER, seconds));
        return answer.build();
    }

    private static ResponseBuilder plain(ErrorBody body) {
        return Response.status(body.status())
                .type(MediaType.APPLICATION_JSON_TYPE)
                .entity(body);
    }
}
