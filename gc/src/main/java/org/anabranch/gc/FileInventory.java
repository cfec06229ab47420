package org.anabranch.gc;

import java.util.Optional;
import java.util.function.Consumer;

/** Lists what a storage holds. Safe from many threads. */
public interface FileInventory {

    /**
     * Lists all files below a folder, at whatever depth, following no symbolic links; none if there is no such folder.
     *
     * @param folder as the storage is asked for it, with or without a slash at the end
     * @param files takes them one by one, from the calling thread, in no particular order
     * @throws java.io.UncheckedIOException if the storage does not give the whole list
     */
    void list(String folder, Consumer<StoredFile> files);

    /**
     * Looks at one file again.
     *
     * @param path as a listing gave it
     * @return the file as it is now; empty if it is not there, or the storage does not show single files
     * @throws java.io.UncheckedIOException if the storage does not answer
     */
    Optional<StoredFile> find(String path);

    /** The folder that a path leads to when symbolic links on the way are followed; itself on a storage without links. */
    String withoutLinks(String folder);
}
