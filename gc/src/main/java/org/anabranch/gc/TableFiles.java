package org.anabranch.gc;

import java.util.List;
import java.util.function.Consumer;

/** Opens the metadata of tables and views, and tells which files they need. Safe from many threads. */
public interface TableFiles {

    /**
     * Names every file that a live pointer needs, the metadata file first.
     *
     * <p>A file may be named more than once, and files of manifests that this object has read before are not named again.
     *
     * @param files takes them one by one, from the calling thread
     */
    ExpandOutcome expand(ContentPointer pointer, Consumer<FileLocation> files);

    /** How an expansion ended. */
    sealed interface ExpandOutcome {

        /**
         * All files were named.
         *
         * @param locations the folders that the content claims as its own: the table's location, and where its properties send
         *     data and metadata
         */
        record Expanded(List<FileLocation> locations) implements ExpandOutcome {

            public Expanded {
                locations = List.copyOf(locations);
            }
        }

        /**
         * A file could not be read, so some of the needed ones are not known and every location that the content may use must be
         * left alone.
         *
         * @param path the file as its referrer spells it
         * @param reason for people
         * @param locations the folders that are known or believed to be the content's
         */
        record Unreadable(String path, String reason, List<FileLocation> locations) implements ExpandOutcome {

            public Unreadable {
                locations = List.copyOf(locations);
            }
        }
    }
}
