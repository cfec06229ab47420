package org.anabranch.gc;

import java.util.List;

/** Opens the metadata of tables and views, and tells which files they need. Safe from many threads. */
public interface TableFiles {

    /**
     * Names every file that a live pointer needs to the {@link NeededFiles} of this object, the metadata file first. Nothing that can
     * be wrong with a file ends it early: what else can be read is named all the same.
     */
    Expansion expand(ContentPointer pointer);

    /** Reads the metadata file alone: the result's locations are those of {@link #expand}, and no file is named. */
    Expansion locate(ContentPointer pointer);

    /**
     * What a pointer's metadata says beside files.
     *
     * @param metadata whether the metadata file itself was read
     * @param locations the folders that the content claims as its own, as its metadata spells them: the table's location, and where
     *     its properties send data and metadata; of unreadable metadata, the folder that such files lie in by custom
     * @param unreadable files that the content needs and that could not be read. Unless empty, some needed files are not known, and
     *     every location that the content may use must be left alone
     */
    record Expansion(Metadata metadata, List<String> locations, List<Unreadable> unreadable) {

        public Expansion {
            locations = List.copyOf(locations);
            unreadable = List.copyOf(unreadable);
        }
    }

    /** What became of the metadata file of a pointer. */
    enum Metadata {
        READ,
        UNREADABLE
    }

    /**
     * A file that could not be read.
     *
     * @param path as its referrer spells it
     * @param reason for people
     */
    record Unreadable(String path, Cause cause, String reason) {

        /** What it would take to read the file. */
        public enum Cause {
            /** There is no such file. */
            MISSING,
            /** It is damaged, of a format that this program does not know, or its storage does not give it. */
            UNUSABLE
        }
    }
}
