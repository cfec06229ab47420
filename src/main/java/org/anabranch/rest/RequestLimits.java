package org.anabranch.rest;

import java.util.List;
import java.util.stream.Stream;
import org.anabranch.api.ext.RevertBody;
import org.anabranch.api.v2.CommitBody;
import org.anabranch.api.v2.CommitMetaInput;
import org.anabranch.api.v2.GetContentsBody;
import org.anabranch.api.v2.MergeBody;
import org.anabranch.api.v2.TransplantBody;
import org.anabranch.model.RefusedException;
import org.jspecify.annotations.Nullable;

/**
 * How much one request may ask for.
 *
 * @param operations of a commit, and commits of a transplant
 * @param keys named by parameters, by a body, or with modes of their own
 * @param messageLength of a commit, and of the rest of its metadata together, in UTF-16 code units
 * @param pageSize that may be asked for
 */
public record RequestLimits(int operations, int keys, int messageLength, int pageSize) {

    public RequestLimits {
        if (operations < 1 || keys < 1 || messageLength < 1 || pageSize < 1) {
            throw new IllegalArgumentException("Limits of requests are positive");
        }
    }

    /** @throws RefusedException 400 that names the limit */
    void requireModest(Object body) {
        switch (body) {
            case CommitBody commit -> {
                requireAtMost(operations, "operations", commit.operations(), "operations", "split the commit");
                requireMeta(commit.commitMeta());
            }
            case MergeBody merge -> {
                requireKeys("keyMergeModes", merge.options().keyModes());
                requireMessage("message", merge.message());
                requireMeta(merge.commitMeta());
            }
            case TransplantBody transplant -> {
                requireAtMost(
                        operations,
                        "hashesToTransplant",
                        transplant.hashesToTransplant(),
                        "operations",
                        "transplant in several steps");
                requireKeys("keyMergeModes", transplant.options().keyModes());
                requireMessage("message", transplant.message());
            }
            case RevertBody revert -> {
                requireKeys("keyMergeModes", revert.options().keyModes());
                requireMessage("message", revert.message());
                requireMeta(revert.commitMeta());
            }
            case GetContentsBody contents -> requireKeys("requestedKeys", contents.requestedKeys());
            default -> {}
        }
    }

    /** @throws RefusedException 400 that names the limit */
    void requireKeys(String field, List<?> given) {
        requireAtMost(keys, field, given, "keys", "ask for fewer at once");
    }

    /** @throws RefusedException 400 that names the limit; not for what is no number, which is refused elsewhere */
    void requirePage(String maxRecords) {
        try {
            if (Integer.parseInt(maxRecords) > pageSize) {
                throw beyond("max-records", maxRecords, pageSize, "page-size", "read on with the token of the page");
            }
        } catch (NumberFormatException notANumber) {
            // The parameter's own check says what it takes.
        }
    }

    /** Listings hold the metadata of many commits at once. */
    private void requireMeta(@Nullable CommitMetaInput meta) {
        if (meta == null) {
            return;
        }
        requireMessage("commitMeta.message", meta.message());
        long length = Stream.of(
                        meta.authors().stream(),
                        meta.allSignedOffBy().stream(),
                        meta.allProperties().entrySet().stream()
                                .flatMap(property ->
                                        Stream.concat(Stream.of(property.getKey()), property.getValue().stream())))
                .flatMap(texts -> texts)
                .mapToLong(String::length)
                .sum();
        if (length > messageLength) {
            throw beyond(
                    "commitMeta: authors, sign-offs and properties",
                    length + " characters",
                    messageLength,
                    "message",
                    "shorten them");
        }
    }

    private void requireMessage(String field, @Nullable String message) {
        if (message != null && message.length() > messageLength) {
            throw beyond(field, message.length() + " characters", messageLength, "message", "shorten it");
        }
    }

    private static void requireAtMost(int limit, String field, List<?> given, String property, String remedy) {
        if (given.size() > limit) {
            throw beyond(field, given.size() + " items", limit, property, remedy);
        }
    }

    private static RefusedException beyond(String field, String given, int limit, String property, String remedy) {
        return RefusedException.badRequest(field + ": " + given + ", the limit is " + limit + ": " + remedy
                + ", or raise anabranch.limits." + property);
    }
}
