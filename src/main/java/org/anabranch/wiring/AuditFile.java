package org.anabranch.wiring;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.logging.ErrorManager;
import java.util.logging.Level;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.ExtLogRecord.FormatStyle;
import org.jboss.logmanager.formatters.PatternFormatter;
import org.jboss.logmanager.handlers.SizeRotatingFileHandler;
import org.jspecify.annotations.Nullable;

/** Lines in a file, which is renamed when it is large, and told whether they were written. Safe from many threads. */
final class AuditFile implements AutoCloseable {

    private final SizeRotatingFileHandler handler;
    private @Nullable Exception failure;

    /**
     * Opens a file, or creates it.
     *
     * @param rotateBytes from which size on another one is begun
     * @param earlierFiles how many of those before stay, with numbers behind their names; the oldest one is deleted
     * @throws FileNotFoundException if it cannot be opened
     */
    AuditFile(Path path, long rotateBytes, int earlierFiles) throws FileNotFoundException {
        handler = new SizeRotatingFileHandler(path.toFile(), true, rotateBytes, earlierFiles);
        handler.setFormatter(new PatternFormatter("%s%n"));
        handler.setAutoFlush(true);
        handler.setErrorManager(new ErrorManager() {
            @Override
            public void error(String message, @Nullable Exception cause, int code) {
                failure = cause == null ? new IOException(message) : cause;
            }
        });
    }

    /**
     * Hands a line to the operating system.
     *
     * @param line without line breaks
     * @throws IOException if it is not known to be in the file
     */
    synchronized void write(String line) throws IOException {
        failure = null;
        handler.publish(new ExtLogRecord(Level.INFO, line, FormatStyle.NO_FORMAT, AuditFile.class.getName()));
        if (failure != null) {
            throw new IOException(failure);
        }
    }

    @Override
    public synchronized void close() {
        handler.close();
    }
}
