package org.anabranch.rest.error;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is wrong with a JSON body, by the place in it and without the names of our classes. */
final class JsonProblems {

    private static final int SHOWN_CHARACTERS = 100;

    /** Reasons quote what they are about, which may be as long as the body. */
    private static final int LONGEST_MESSAGE = 1_000;

    private JsonProblems() {}

    static String message(JsonProcessingException problem) {
        return shortened(wholeMessage(problem), LONGEST_MESSAGE);
    }

    private static String wholeMessage(JsonProcessingException problem) {
        if (problem instanceof JsonMappingException mapping) {
            String path = path(mapping);
            String text = text(mapping);
            return path.isEmpty() ? text : path + ": " + text;
        }
        String where = problem.getLocation() == null
                ? ""
                : " at line " + problem.getLocation().getLineNr() + ", column "
                        + problem.getLocation().getColumnNr();
        return "The body is not JSON" + where + ": " + problem.getOriginalMessage();
    }

    private static String path(JsonMappingException problem) {
        StringBuilder path = new StringBuilder();
        for (JsonMappingException.Reference step : problem.getPath()) {
            if (step.getFieldName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getFieldName());
            }
        }
        return path.toString();
    }

    private static String text(JsonMappingException problem) {
        Throwable cause = problem.getCause();
        if (problem instanceof ValueInstantiationException && cause != null) {
            return String.valueOf(cause.getMessage());
        }
        if (problem instanceof InvalidFormatException format) {
            return "cannot be read: '" + shortened(String.valueOf(format.getValue()), SHOWN_CHARACTERS) + "'; give "
                    + expected(format.getTargetType());
        }
        String original = problem.getOriginalMessage();
        if (problem instanceof MismatchedInputException mismatch) {
            if (original.startsWith("Missing required creator property") || original.startsWith("Cannot map `null`")) {
                return "must not be null";
            }
            return "has the wrong type; give " + expected(mismatch.getTargetType());
        }
        if (cause instanceof StreamReadException stream) {
            return stream.getOriginalMessage();
        }
        return original;
    }

    private static String shortened(String text, int length) {
        return text.codePointCount(0, text.length()) <= length
                ? text
                : text.substring(0, text.offsetByCodePoints(0, length)) + "...";
    }

    private static String expected(@Nullable Class<?> type) {
        if (type == null) {
            return "another value";
        }
        if (type.isEnum()) {
            return "one of " + Arrays.toString(type.getEnumConstants());
        }
        if (type == String.class) {
            return "a text";
        }
        if (type == Instant.class) {
            return "a time such as \"2026-01-31T12:00:00.5Z\"";
        }
        if (type == Duration.class) {
            return "a duration such as \"PT3H\"";
        }
        if (type == boolean.class || type == Boolean.class) {
            return "true or false";
        }
        if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
            return "a whole number";
        }
        if (Collection.class.isAssignableFrom(type)) {
            return "an array";
        }
        return Map.class.isAssignableFrom(type) ? "an object whose values have the right type" : "an object";
    }
}
