package org.anabranch.store.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds a folder for this process, by a lock of the operating system on the file {@code lock} in it. The file's text names
 * the holder. It stays behind when the holder ends, but the lock does not, however the holder ended.
 */
final class FolderLock implements AutoCloseable {

    static final String FILE = "lock";

    /** Far behind the text, so that others may read it where locks keep readers out. */
    private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;

    /**
     * Folders held by this process. The operating system forgets a process's lock when the process closes any handle of
     * the file, so a second attempt from inside must not even open it.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final FileChannel channel;

    private FolderLock(Path folder, FileChannel channel) {
        this.folder = folder;
        this.channel = channel;
    }

    /**
     * @param folder an existing one, by its real path
     * @throws UnusableFolderException if it is held already; the message says by whom
     */
    static FolderLock take(Path folder) throws IOException {
        if (!HELD.add(folder)) {
            throw held(folder, holder());
        }
        FileChannel channel = null;
        try {
            Path file = folder.resolve(FILE);
            channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            if (channel.tryLock(LOCKED_BYTE, 1, false) == null) {
                throw held(
                        folder, Files.readString(file, StandardCharsets.UTF_8).strip());
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap((holder() + "\n").getBytes(StandardCharsets.UTF_8)));
            return new FolderLock(folder, channel);
        } catch (IOException | RuntimeException e) {
            release(folder, channel);
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        release(folder, channel);
    }

    private static void release(Path folder, @Nullable FileChannel channel) throws IOException {
        try {
            if (channel != null) {
                channel.close();
            }
        } finally {
            HELD.remove(folder);
        }
    }

    private static FolderInUseException held(Path folder, String holder) {
        return new FolderInUseException("The folder " + folder + " is in use by "
                + (holder.isEmpty() ? "another process" : holder) + ". Stop that process, or choose another folder.");
    }

    private static String holder() {
        return "process " + ProcessHandle.current().pid() + " on host " + host();
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "(unknown)";
        }
    }
}
