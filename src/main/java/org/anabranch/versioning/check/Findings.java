package org.anabranch.versioning.check;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.anabranch.index.TreeFault;
import org.anabranch.model.ContentKey;
import org.anabranch.object.CorruptObjectException;
import org.anabranch.object.IndexKey;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.MissingRowException;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.versioning.check.Finding.Kind;
import org.jspecify.annotations.Nullable;

/** Collects findings, each damaged place once, and ends the check when there are too many. */
final class Findings {

    /** There are so many findings that further ones tell nothing more. */
    static final class TooManyException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final List<Finding> found = new ArrayList<>();
    private final Set<String> told = new HashSet<>();

    List<Finding> found() {
        return found;
    }

    /** A finding about no commit. */
    void add(Kind kind, @Nullable String reference, String expected, Object actual) {
        add(kind, new Subject(reference, 0, null), null, expected, actual);
    }

    void add(Kind kind, Subject subject, @Nullable IndexKey key, Object expected, Object actual) {
        if (found.size() == RepositoryCheck.MOST_FINDINGS) {
            throw new TooManyException();
        }
        found.add(new Finding(
                kind,
                subject.reference(),
                subject.row(),
                subject.commit(),
                key == null ? null : contentKey(key),
                String.valueOf(expected),
                String.valueOf(actual)));
    }

    void add(Subject subject, TreeFault fault) {
        Kind kind =
                switch (fault.kind()) {
                    case ORDER -> Kind.TREE_ORDER;
                    case SHAPE -> Kind.TREE_SHAPE;
                    case COUNT -> Kind.TREE_COUNT;
                    case SUM -> Kind.TREE_SUM;
                };
        if (told.add(fault.toString())) {
            add(kind, subject, fault.key(), "on level " + fault.level() + ": " + fault.expected(), fault.actual());
        }
    }

    /**
     * Tells why something could not be read, unless it was told before.
     *
     * @param isExpected whether the subject builds on something damaged, so that a failure that names no place is no news
     */
    void unreadable(Subject subject, RuntimeException failure, boolean isExpected) {
        switch (failure) {
            case StoreUnavailableException unavailable -> throw unavailable;
            case TooManyException tooMany -> throw tooMany;
            case MissingRowException missing -> missing.missing().forEach(chunk -> missing(subject, chunk));
            case CheckedObjects.KnownDamageException known -> {}
            case CorruptObjectException corrupt -> {
                String message = String.valueOf(corrupt.getMessage());
                boolean namesPlace = message.contains(ChunkAddress.class.getSimpleName());
                if (namesPlace ? told.add(message) : !isExpected) {
                    add(Kind.UNREADABLE, subject, null, "bytes as they were written", message);
                }
            }
            default -> {
                if (!isExpected) {
                    add(Kind.UNREADABLE, subject, null, "bytes as they were written", failure);
                }
            }
        }
    }

    void missing(Subject subject, ChunkAddress chunk) {
        if (told.add("missing " + chunk)) {
            add(Kind.MISSING_ROW, subject, null, "chunk " + chunk.chunk() + " of row " + chunk.number(), "nothing");
        }
    }

    /** Stored bytes may be no key that could ever have been written. */
    private static @Nullable ContentKey contentKey(IndexKey key) {
        try {
            return key.toContentKey();
        } catch (RuntimeException e) {
            return null;
        }
    }
}
