package org.anabranch.wiring;

import java.security.SecureRandom;
import java.util.UUID;
import org.anabranch.model.ContentId;

/** The source of random ids. Safe from many threads. */
final class Ids {

    private static final int SALT_BYTES = 16;

    private final SecureRandom random = new SecureRandom();

    UUID uuid() {
        return UUID.randomUUID();
    }

    ContentId contentId() {
        return new ContentId(uuid());
    }

    byte[] salt() {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        return salt;
    }
}
