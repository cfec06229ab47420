package org.anabranch.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request is refused and nothing was changed by it: the caller named something that is not there, or asked for something
 * that is not admissible. The message names the field, the value and the remedy.
 *
 * <p>Endings between which callers inside the service choose, such as conflicts, are values of the operation's outcome
 * type instead; they become this exception only at the door.
 */
public class RefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final transient List<Conflict> conflicts;
    private final transient @Nullable ContentKey key;
    private final @Nullable String denial;

    private RefusedException(
            ErrorCode code,
            String message,
            List<Conflict> conflicts,
            @Nullable ContentKey key,
            @Nullable String denial) {
        super(message);
        this.code = code;
        this.conflicts = List.copyOf(conflicts);
        this.key = key;
        this.denial = denial;
    }

    public static RefusedException badRequest(String message) {
        return new RefusedException(ErrorCode.BAD_REQUEST, message, List.of(), null, null);
    }

    public static RefusedException referenceNotFound(String message) {
        return new RefusedException(ErrorCode.REFERENCE_NOT_FOUND, message, List.of(), null, null);
    }

    public static RefusedException contentNotFound(ContentKey key) {
        return new RefusedException(
                ErrorCode.CONTENT_NOT_FOUND, "Could not find content for key '" + key + "'", List.of(), key, null);
    }

    public static RefusedException conflict(String message, List<Conflict> conflicts) {
        return new RefusedException(ErrorCode.REFERENCE_CONFLICT, message, conflicts, null, null);
    }

    public static RefusedException of(ErrorCode code, String message) {
        return new RefusedException(code, message, List.of(), null, null);
    }

    /**
     * The same refusal, which hides that it is a denial: its message says that something is not there.
     *
     * @param denied what was not allowed, for the operators alone
     */
    public RefusedException hiding(String denied) {
        return new RefusedException(code, getMessage(), conflicts, key, denied);
    }

    public ErrorCode code() {
        return code;
    }

    /** The conflicts behind a {@link ErrorCode#REFERENCE_CONFLICT}; else empty. */
    public List<Conflict> conflicts() {
        return conflicts;
    }

    /** The key behind a {@link ErrorCode#CONTENT_NOT_FOUND}; else null. */
    public @Nullable ContentKey key() {
        return key;
    }

    /** What was not allowed, if that is hidden from the caller, whom it must not be told; else null. */
    public @Nullable String denial() {
        return denial;
    }
}
