package org.anabranch.wiring;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.time.InstantSource;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.RefusedException;
import org.anabranch.rest.AuditEntry;
import org.anabranch.rest.AuditEntry.Event;
import org.anabranch.rest.AuditTrail;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Keeps the trail in the log, and in a file if there is one. */
final class AuditLog implements AuditTrail, AutoCloseable {

    static final String CATEGORY = "anabranch.audit";

    private static final Logger LOG = Logger.getLogger(CATEGORY);
    private static final Logger PROBLEMS = Logger.getLogger(AuditLog.class);

    private final @Nullable AuditFile file;
    private final boolean isStrict;
    private final InstantSource clock;
    private final ObjectWriter json;

    /**
     * @param file where records are kept beside the log; null if nowhere
     * @param isStrict whether a write is tried only when its intent stands in the file
     */
    AuditLog(@Nullable AuditFile file, boolean isStrict, InstantSource clock) {
        this.file = file;
        this.isStrict = isStrict;
        this.clock = clock;
        // What callers send ends up here: nothing of it must move a terminal's cursor or look like a line of its own.
        this.json = JsonMapper.builder()
                .addModule(new JavaTimeModule())
                .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .build()
                .writerFor(AuditEntry.class);
    }

    @Override
    public boolean isOn() {
        return true;
    }

    @Override
    public void intend(AuditEntry.Request request) {
        if (!isStrict) {
            return;
        }
        String line = line(new AuditEntry(clock.instant(), Event.INTENT, request, null));
        try {
            toFile(line);
        } catch (IOException e) {
            PROBLEMS.error("A write was refused because its intent could not be written to the audit file", e);
            throw RefusedException.of(
                    ErrorCode.SERVICE_UNAVAILABLE,
                    "The audit record of the request cannot be written, and the request changed nothing. Send it again"
                            + " later.");
        }
        LOG.info(line);
    }

    @Override
    public void record(Event event, AuditEntry.Request request, AuditEntry.Effect effect) {
        String line = line(new AuditEntry(clock.instant(), event, request, effect));
        LOG.info(line);
        try {
            toFile(line);
        } catch (IOException e) {
            PROBLEMS.error("This could not be written to the audit file: " + line, e);
        }
    }

    private void toFile(String line) throws IOException {
        if (file != null) {
            file.write(line);
        }
    }

    private String line(AuditEntry entry) {
        try {
            return json.writeValueAsString(entry);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("An audit record has no JSON form", e);
        }
    }

    @Override
    public void close() {
        if (file != null) {
            file.close();
        }
    }
}
