package org.anabranch.gc;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files that live contents need, as they are found; durable, so that a run that was killed goes on where it was. Safe from many
 * threads.
 *
 * <p>An index file is a metadata file, a manifest list or a manifest. It goes by its path as its referrer spells it, because two
 * files may share a {@link FileLocation}.
 */
public interface NeededFiles {

    /** What became of an index file. */
    sealed interface Reading {

        /** It has to be read; perhaps some of its files are named already. */
        record Open() implements Reading {}

        /** All files that it needs, directly or through others, are named. */
        record Whole() implements Reading {}

        /** It or one that it refers to could not be read; what could be is named. */
        record Failed(TableFiles.Unreadable file) implements Reading {}
    }

    /** How the reading of index files ended, if it did; an answer for each. */
    Map<String, Reading> readings(Collection<String> indexFiles);

    /**
     * Adds files that an index file names.
     *
     * @param referrer the index file through which this one was found; null for a metadata file
     */
    void add(String indexFile, @Nullable String referrer, List<FileLocation> files);

    /**
     * Keeps, also for later runs, that a content has files in folders that it does not claim: should one of its manifests be
     * unreadable then, they must be left alone too.
     *
     * @param metadataFile of the content
     * @param folders that hold such files
     */
    void outside(String metadataFile, Collection<FileLocation> folders);

    /** Keeps how the reading of an index file ended; all its files were added before. */
    void ended(String indexFile, Reading reading);
}
