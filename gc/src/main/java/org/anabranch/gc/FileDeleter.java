package org.anabranch.gc;

import java.util.Collection;
import java.util.List;

/** Deletes files of a storage. Safe from many threads. */
public interface FileDeleter {

    /**
     * Deletes files; one that is not there any more counts as deleted.
     *
     * @return those that are still there or may be, with the reason; empty when all went
     */
    List<Failure> delete(Collection<StoredFile> files);

    /** A file that was not deleted, and why. */
    record Failure(StoredFile file, String reason) {}
}
