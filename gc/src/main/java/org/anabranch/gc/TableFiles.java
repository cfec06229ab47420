package org.anabranch.gc;

import java.util.List;

/** Opens the metadata of tables and views, and tells which files they need. Safe from many threads. */
public interface TableFiles {

    /**
     * Names every file that a live pointer needs, the metadata file first. Nothing that can be wrong with a file ends it early: what
     * else can be read is named all the same.
     *
     * @param needed takes the files, and knows which manifest lists and manifests were read before, which are not read again
     */
    Expansion expand(ContentPointer pointer, NeededFiles needed);

    /**
     * What a pointer's metadata says beside files.
     *
     * @param locations the folders that the content claims as its own, as its metadata spells them: the table's location, and where
     *     its properties send data and metadata; of unreadable metadata, the folder that such files lie in by custom
     * @param unreadable files that the content needs and that could not be read. Unless empty, some needed files are not known, and
     *     every location that the content may use must be left alone
     */
    record Expansion(List<String> locations, List<Unreadable> unreadable) {

        public Expansion {
            locations = List.copyOf(locations);
            unreadable = List.copyOf(unreadable);
        }
    }

    /**
     * A file that could not be read.
     *
     * @param path as its referrer spells it
     * @param reason for people
     */
    record Unreadable(String path, String reason) {}
}
