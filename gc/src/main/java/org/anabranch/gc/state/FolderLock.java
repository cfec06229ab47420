package org.anabranch.gc.state;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Holds the folder for this process by a lock of the operating system, which ends with the process however that ends. */
final class FolderLock implements AutoCloseable {

    private static final String FILE = "lock";

    /** Far behind the text, so that others may read it where locks keep readers out. */
    private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;

    private final FileChannel channel;

    private FolderLock(FileChannel channel) {
        this.channel = channel;
    }

    /** @throws UnusableStateException if it is held already; the message says by whom */
    static FolderLock take(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock(LOCKED_BYTE, 1, false) == null) {
                throw held(folder, Files.readString(file).strip());
            }
            channel.truncate(0);
            String holder = "process " + ProcessHandle.current().pid() + "\n";
            channel.write(ByteBuffer.wrap(holder.getBytes(StandardCharsets.UTF_8)));
            return new FolderLock(channel);
        } catch (OverlappingFileLockException e) {
            channel.close();
            throw held(folder, "this process");
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private static UnusableStateException held(Path folder, String holder) {
        return new UnusableStateException(
                "The state folder " + folder + " is in use by " + holder
                        + ". Wait for that run to end, or give this run a folder of its own with --state.",
                null);
    }
}
