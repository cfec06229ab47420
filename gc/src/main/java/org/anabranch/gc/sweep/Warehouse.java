package org.anabranch.gc.sweep;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.anabranch.gc.FileLocation;

/** A folder that the operator lets the collector work in: nothing outside is listed or deleted. */
public final class Warehouse {

    private static final Pattern DOTS = Pattern.compile("/\\.\\.?(/|$)");
    private static final Pattern SLASHES = Pattern.compile("/(\\.?/)+|/\\.$");

    private final String path;
    private final FileLocation location;
    private final List<String> spellings;

    /**
     * @param path a bucket or a folder, as the operator spells it
     * @throws IllegalArgumentException if it is no location, or the root of the file system
     */
    public Warehouse(String path) {
        this.path = path;
        this.location = FileLocation.parse(path);
        if (location.equals(FileLocation.parse("/"))) {
            throw new IllegalArgumentException("The warehouse '" + path
                    + "' is the whole file system. Give the folder that holds the lake's tables.");
        }
        this.spellings = Stream.of(path, location.value())
                .map(spelling -> plain(spelling) + "/")
                .distinct()
                .toList();
    }

    public String path() {
        return path;
    }

    public FileLocation location() {
        return location;
    }

    /**
     * Whether a path, as a storage is asked for it, leads strictly below this folder: its own spelling does, not only the one that
     * comparisons go by, and no {@code ..} can lead out of it again.
     */
    public boolean contains(String other) {
        String plain = plain(other);
        return spellings.stream().anyMatch(folder -> plain.startsWith(folder) && plain.length() > folder.length())
                && !(plain.contains("/.") && DOTS.matcher(plain).find())
                && FileLocation.parse(other).isWithin(location)
                && !FileLocation.parse(other).equals(location);
    }

    @Override
    public String toString() {
        return path;
    }

    /**
     * A path in one spelling of its scheme and, where the storage takes them for one, of its slashes and single dots; no slash at
     * the end.
     */
    static String plain(String path) {
        boolean isUri = !path.startsWith("/");
        String plain;
        if (!isUri || path.toLowerCase(Locale.ROOT).startsWith("file:")) {
            String rest = isUri ? path.substring("file:".length()) : path;
            if (isUri && rest.startsWith("//localhost/")) {
                rest = rest.substring("//localhost".length());
            }
            plain = rest.contains("//") || rest.contains("/.")
                    ? SLASHES.matcher(rest).replaceAll("/")
                    : rest;
        } else {
            plain = FileLocation.parse(path).scheme() + path.substring(path.indexOf(':'));
        }
        int end = plain.length();
        while (end > 0 && plain.charAt(end - 1) == '/') {
            end--;
        }
        return plain.substring(0, end);
    }
}
