package org.anabranch.versioning.commit;

import java.util.List;
import java.util.function.LongSupplier;
import org.anabranch.model.CommitId;
import org.anabranch.object.CommitRowBuilder.Built;
import org.anabranch.object.StoredObjects;

/** Opens stages. Safe from many threads. */
public final class Staging {

    private final StoredObjects stored;
    private final byte[] salt;
    private final LongSupplier numbers;

    /**
     * @param stored reads what is published
     * @param salt of the repository
     * @param numbers gives numbers of commit rows, none of them twice
     */
    public Staging(StoredObjects stored, byte[] salt, LongSupplier numbers) {
        this.stored = stored;
        this.salt = salt.clone();
        this.numbers = numbers;
    }

    /** An empty stage on top of what is stored now. */
    public Stage open() {
        return new Stage(stored, salt, numbers);
    }

    /** Looks commits up anew that the store says are gone. */
    void forget(List<CommitId> gone) {
        stored.forget(gone);
    }

    /** Spares the readers of commits that were staged here, and are published now, to fetch them. */
    void remember(List<Built> published) {
        published.forEach(stored::remember);
    }
}
