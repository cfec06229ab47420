package org.anabranch.gc.expand;

import org.anabranch.gc.TableFiles.Unreadable;
import org.anabranch.gc.TableFiles.Unreadable.Cause;
import org.apache.iceberg.io.FileIO;

/** Tells a file that is missing from one that is there and of no use. */
final class UnreadableFiles {

    private UnreadableFiles() {}

    /** What to say of a file whose reading ended with an exception. */
    static Unreadable unreadable(FileIO io, String path, RuntimeException failure) {
        if (isMissing(io, path)) {
            return new Unreadable(path, Cause.MISSING, "there is no such file");
        }
        String message = failure.getMessage();
        return new Unreadable(
                path, Cause.UNUSABLE, message == null ? failure.getClass().getSimpleName() : message);
    }

    private static boolean isMissing(FileIO io, String path) {
        try {
            return !io.newInputFile(path).exists();
        } catch (RuntimeException e) {
            // The storage does not say.
            return false;
        }
    }
}
