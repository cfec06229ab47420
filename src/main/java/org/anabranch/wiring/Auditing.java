package org.anabranch.wiring;

import io.quarkus.runtime.Startup;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.FileNotFoundException;
import java.nio.file.Path;
import java.time.InstantSource;
import org.anabranch.rest.AuditTrail;
import org.anabranch.wiring.AnabranchConfig.Audit.Mode;

/** Makes the audit trail that the configuration asks for. */
public final class Auditing {

    /** Made at once, so that a file that cannot be opened is told at the start. */
    @Startup
    @Produces
    @Singleton
    AuditTrail trail(AnabranchConfig config, InstantSource clock) {
        AnabranchConfig.Audit audit = config.audit();
        if (audit.mode() == Mode.OFF) {
            if (audit.file().isPresent()) {
                throw new IllegalArgumentException(
                        "anabranch.audit.file is given and anabranch.audit.mode is off, so nothing would be written"
                                + " there: set the mode to log or strict, or leave the file out");
            }
            return AuditTrail.OFF;
        }
        if (audit.mode() == Mode.STRICT && audit.file().isEmpty()) {
            throw new IllegalArgumentException(
                    "anabranch.audit.mode=strict needs anabranch.audit.file, in which the intents of writes stand");
        }
        if (audit.files() < 1 || audit.fileSize().asLongValue() < 1) {
            throw new IllegalArgumentException(
                    "anabranch.audit.files and anabranch.audit.file-size must be at least 1");
        }
        return new AuditLog(
                audit.file().map(path -> open(path, audit)).orElse(null), audit.mode() == Mode.STRICT, clock);
    }

    void close(@Disposes AuditTrail trail) {
        if (trail instanceof AuditLog log) {
            log.close();
        }
    }

    private static AuditFile open(Path path, AnabranchConfig.Audit audit) {
        try {
            return new AuditFile(path, audit.fileSize().asLongValue(), audit.files());
        } catch (FileNotFoundException e) {
            throw new IllegalArgumentException(
                    "anabranch.audit.file (" + path + ") cannot be opened for writing: " + e.getMessage(), e);
        }
    }
}
