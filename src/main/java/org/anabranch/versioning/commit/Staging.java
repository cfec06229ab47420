package org.anabranch.versioning.commit;

import java.util.function.LongSupplier;
import org.anabranch.object.ObjectReader;
import org.anabranch.object.StagedObjects;

/** Opens stages. Safe from many threads. */
public final class Staging {

    private final ObjectReader stored;
    private final byte[] salt;
    private final LongSupplier numbers;

    /**
     * @param stored reads what is published
     * @param salt of the repository
     * @param numbers gives numbers of commit rows, none of them twice
     */
    public Staging(ObjectReader stored, byte[] salt, LongSupplier numbers) {
        this.stored = stored;
        this.salt = salt.clone();
        this.numbers = numbers;
    }

    /** An empty stage on top of what is stored now. */
    public Stage open() {
        return new Stage(new StagedObjects(stored), salt, numbers);
    }
}
