package org.anabranch.versioning.transfer;

import org.jspecify.annotations.Nullable;

/** A file is not an export, or not what was exported: cut off, or altered. The message says where. */
public class ExportFileException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final long position;

    ExportFileException(String message, long position, @Nullable Throwable cause) {
        super("At byte " + position + ": " + message, cause);
        this.position = position;
    }

    /** Where the block begins that something is wrong with, in bytes from the start of the file. */
    public long position() {
        return position;
    }
}
