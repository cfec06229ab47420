package org.anabranch.cli.gc;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads durations as people write them: {@code 3d}, {@code 12h}, {@code 30m}, {@code 45s}, or as ISO-8601 has them. */
final class DurationText implements ITypeConverter<Duration> {

    private static final Pattern SHORT = Pattern.compile("([0-9]{1,9})([dhms])");

    @Override
    public Duration convert(String text) {
        Matcher number = SHORT.matcher(text);
        if (number.matches()) {
            long amount = Long.parseLong(number.group(1));
            return switch (number.group(2)) {
                case "d" -> Duration.ofDays(amount);
                case "h" -> Duration.ofHours(amount);
                case "m" -> Duration.ofMinutes(amount);
                default -> Duration.ofSeconds(amount);
            };
        }
        try {
            Duration duration = Duration.parse(text);
            if (!duration.isNegative()) {
                return duration;
            }
        } catch (DateTimeException e) {
            throw unreadable(text);
        }
        throw unreadable(text);
    }

    private static TypeConversionException unreadable(String text) {
        return new TypeConversionException(
                "'" + text + "' is no duration: give one such as 3d, 12h, 30m, 45s or PT36H");
    }
}
