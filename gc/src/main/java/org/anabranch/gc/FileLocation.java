package org.anabranch.gc;

/**
 * Where a file or folder of the lake lies, in the one spelling that comparisons go by.
 *
 * <p>Not what a storage is asked for: it may know the file by another spelling, which {@link StoredFile} keeps.
 */
public record FileLocation(String value) implements Comparable<FileLocation> {

    /** Whether this is {@code folder} or lies below it, whole path elements compared. */
    public boolean isWithin(FileLocation folder) {
        return value.startsWith(folder.value)
                && (value.length() == folder.value.length()
                        || folder.value.endsWith("/")
                        || value.charAt(folder.value.length()) == '/');
    }

    @Override
    public int compareTo(FileLocation other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
