package org.anabranch.store;

import java.util.Collection;
import java.util.List;

/** Rows that something stored points at are not there: the repository is damaged. */
public class MissingRowException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<ChunkAddress> missing;

    public MissingRowException(Collection<ChunkAddress> missing) {
        super("Rows are missing in the store: " + missing);
        this.missing = List.copyOf(missing);
    }

    /** What is missing, in the order it was asked for. */
    public List<ChunkAddress> missing() {
        return missing;
    }
}
