package org.anabranch.gc;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/**
 * Where a file or folder of the lake lies, in the one spelling that comparisons go by; see {@link #parse}.
 *
 * <p>Not what a storage is asked for: it may know the file by another spelling, which {@link StoredFile} keeps.
 */
public record FileLocation(String value) implements Comparable<FileLocation> {

    private static final String LOCAL = "file://";

    /** No storage has longer names; the decoding of a much longer one would take its time. */
    private static final int MAX_LENGTH = 8_192;

    /**
     * Brings a path or URI into the spelling of comparisons.
     *
     * <p>Several spellings give one location: {@code s3}, {@code s3a} and {@code s3n} are {@code s3}; {@code file:/x},
     * {@code file:///x}, {@code file://localhost/x} and {@code /x} are {@code file:///x}; repeated and trailing slashes,
     * {@code .} and {@code ..} are resolved; percent-encoding is undone until none is left. Files of different names may so share
     * a location: then one that is needed protects the others, so that this errs towards keeping.
     *
     * @throws IllegalArgumentException if the text is no absolute path and no URI with a path, climbs above the root, or is longer than
     *     {@value #MAX_LENGTH} UTF-16 code units
     */
    public static FileLocation parse(String text) {
        if (text.length() > MAX_LENGTH) {
            throw unusable(text.substring(0, 100) + "...", "it is longer than " + MAX_LENGTH + " characters");
        }
        int colon = text.indexOf(':');
        int slash = text.indexOf('/');
        if (slash == 0) {
            return new FileLocation(LOCAL + resolved(text, text));
        }
        if (colon <= 0 || slash != colon + 1) {
            throw unusable(text, "it is neither an absolute path nor a URI with a scheme");
        }
        String scheme = scheme(text.substring(0, colon).toLowerCase(Locale.ROOT));
        String rest = text.substring(slash);
        String authority = "";
        if (rest.startsWith("//")) {
            int end = rest.indexOf('/', 2);
            authority = end < 0 ? rest.substring(2) : rest.substring(2, end);
            rest = end < 0 ? "/" : rest.substring(end);
        }
        if (scheme.equals("file")) {
            if (!authority.isEmpty() && !authority.equals("localhost")) {
                throw unusable(text, "it names another host's files");
            }
            return new FileLocation(LOCAL + resolved(rest, text));
        }
        if (authority.isEmpty()) {
            throw unusable(text, "a bucket or host is missing after the scheme");
        }
        String path = resolved(rest, text);
        return new FileLocation(scheme + "://" + authority + (path.equals("/") ? "" : path));
    }

    /** Whether this is {@code folder} or lies below it, whole path elements compared. */
    public boolean isWithin(FileLocation folder) {
        return value.startsWith(folder.value)
                && (value.length() == folder.value.length()
                        || folder.value.endsWith("/")
                        || value.charAt(folder.value.length()) == '/');
    }

    /** The folder that this lies in; itself where there is none. */
    public FileLocation parent() {
        int slash = value.lastIndexOf('/');
        return slash > value.indexOf("://") + 3 ? new FileLocation(value.substring(0, slash)) : this;
    }

    /** What stands before the colon: {@code file}, {@code s3} or another. */
    public String scheme() {
        return value.substring(0, value.indexOf(':'));
    }

    @Override
    public int compareTo(FileLocation other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }

    private static String scheme(String scheme) {
        return scheme.equals("s3a") || scheme.equals("s3n") ? "s3" : scheme;
    }

    private static String resolved(String path, String text) {
        String decoded = path;
        // Ends, because every round with an effect makes the text shorter.
        for (String next = decoded(decoded); !next.equals(decoded); next = decoded(decoded)) {
            decoded = next;
        }
        if (isResolved(decoded)) {
            return decoded;
        }
        Deque<String> elements = new ArrayDeque<>();
        for (String element : decoded.split("/")) {
            switch (element) {
                case "", "." -> {}
                case ".." -> {
                    if (elements.pollLast() == null) {
                        throw unusable(text, "it climbs above the root");
                    }
                }
                default -> elements.addLast(element);
            }
        }
        return "/" + String.join("/", elements);
    }

    /** Most paths are: worth not cutting them up. */
    private static boolean isResolved(String path) {
        return path.length() > 1 && !path.endsWith("/") && !path.contains("//") && !path.contains("/.");
    }

    private static String decoded(String path) {
        int percent = path.indexOf('%');
        if (percent < 0) {
            return path;
        }
        StringBuilder decoded = new StringBuilder(path.length());
        int at = 0;
        while (percent >= 0) {
            decoded.append(path, at, percent);
            ByteBuffer bytes = ByteBuffer.allocate((path.length() - percent) / 3);
            at = percent;
            for (int octet = octet(path, at); octet >= 0; octet = octet(path, at)) {
                bytes.put((byte) octet);
                at += 3;
            }
            if (at == percent) {
                decoded.append('%');
                at++;
            } else {
                decoded.append(StandardCharsets.UTF_8.decode(bytes.flip()));
            }
            percent = path.indexOf('%', at);
        }
        return decoded.append(path, at, path.length()).toString();
    }

    /** The octet that is written at a position as percent and two digits; -1 when none is. */
    private static int octet(String path, int at) {
        if (at + 2 >= path.length() || path.charAt(at) != '%') {
            return -1;
        }
        int high = Character.digit(path.charAt(at + 1), 16);
        int low = Character.digit(path.charAt(at + 2), 16);
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }

    private static IllegalArgumentException unusable(String text, String reason) {
        return new IllegalArgumentException("Location '" + text + "' cannot be used: " + reason);
    }
}
