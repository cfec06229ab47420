package org.anabranch.gc;

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

    /** The folder that a path leads to when symbolic links on the way are followed; itself on a storage without links. */
    String withoutLinks(String folder);
}
