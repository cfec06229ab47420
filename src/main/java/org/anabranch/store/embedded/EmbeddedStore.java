package org.anabranch.store.embedded;

import com.google.common.util.concurrent.Uninterruptibles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;
import org.anabranch.store.Change;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.CommitLinks;
import org.anabranch.store.CommitRow;
import org.anabranch.store.Condemned;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.Store;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.WriteOutcome;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.TransactionMode;
import org.sqlite.SQLiteErrorCode;

/**
 * Keeps a repository in one folder, in an SQLite file with a write-ahead log. Needs no set-up.
 *
 * <p>Safe from many threads of one process, which holds the folder as long as the store is open. Every write is synced to
 * the disk before its call returns, and costs one sync, whatever its size; those that come while another one is synced share
 * the next. See docs/decisions/0001-embedded-store-engine.md for figures. Opening costs the same for a small and a large store,
 * apart from replaying the log after a crash.
 *
 * <p>A write that finds none under way runs on its caller's thread, and those that come meanwhile on one thread of the store.
 * Reads run on their caller's thread, as many at once as there are connections. For platform threads: SQLite would hold the
 * carrier of a virtual one, in a write until the sync has ended.
 */
public final class EmbeddedStore implements Store {

    static final String FILE = "store.sqlite";

    private static final int READERS = Math.clamp(Runtime.getRuntime().availableProcessors(), 2, 4);
    private static final int CACHE_KIB_PER_CONNECTION = 16384;
    private static final int BUSY_MILLIS = 5000;
    private static final int MOST_TOGETHER = 64;

    private final FolderLock lock;
    private final Path file;

    /** Held by who writes. */
    private final ReentrantLock writing = new ReentrantLock();

    /** Of {@link Waiting} alone. */
    private final BlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>();

    private final ExecutorService writerThread = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            waiting,
            Thread.ofPlatform().name("embedded-store-writer").daemon().factory());

    /** Taken and given back at the same end: the one used last has the warmest cache. */
    private final BlockingDeque<Reader> readers;

    private volatile boolean closed;

    // Guarded by `writing`.
    private Connection connection;
    private Writer writer;
    private boolean broken;

    private EmbeddedStore(FolderLock lock, Path file, Connection connection, List<Reader> readers) throws SQLException {
        this.lock = lock;
        this.file = file;
        this.connection = connection;
        this.readers = new LinkedBlockingDeque<>(readers);
        this.writer = writer(connection);
    }

    private static Writer writer(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        return new Writer(connection, new Reader(connection));
    }

    /**
     * Opens the store of a folder, and creates both if they are not there.
     *
     * @throws UnusableFolderException if the folder is held by another process, cannot be used, or holds something else
     */
    public static EmbeddedStore open(Path folder) {
        Deque<AutoCloseable> opened = new ArrayDeque<>();
        try {
            Path real = createFolder(folder);
            FolderLock lock = FolderLock.take(real);
            opened.push(lock);
            Path file = real.resolve(FILE);
            if (!Files.exists(file) && Files.exists(real.resolve(FILE + "-wal"))) {
                throw new UnusableFolderException(
                        "The folder " + real + " has the log of a store, but its file " + FILE
                                + " is missing. Put the file back, or choose another folder.",
                        null);
            }
            Connection writing = connect(file);
            opened.push(writing);
            Schema.open(writing, file);
            List<Reader> readers = new ArrayList<>();
            for (int reader = 0; reader < READERS; reader++) {
                readers.add(new Reader(connect(file)));
                opened.push(readers.getLast());
            }
            return new EmbeddedStore(lock, file, writing, readers);
        } catch (RuntimeException e) {
            discard(opened);
            throw e;
        } catch (SQLException e) {
            discard(opened);
            throw new UnusableFolderException(
                    "The file " + folder.resolve(FILE) + " cannot be opened as a store: " + e.getMessage() + ".", e);
        } catch (IOException e) {
            discard(opened);
            throw new UnusableFolderException(
                    "The folder " + folder + " cannot be used: " + reason(e) + ". Choose another folder.", e);
        }
    }

    /** Whether a folder holds a store, open or not. Changes nothing. */
    public static boolean isIn(Path folder) {
        return Files.exists(folder.resolve(FILE));
    }

    @Override
    public Map<CommitId, Long> find(Collection<CommitId> ids) {
        return read(reader -> reader.find(ids));
    }

    @Override
    public List<byte[]> fetch(List<ChunkAddress> chunks) {
        return read(reader -> reader.fetch(chunks));
    }

    @Override
    public List<CommitLinks> links(long afterNumber, int limit) {
        return read(reader -> reader.links(afterNumber, limit));
    }

    @Override
    public Optional<ReferenceRow> reference(String name) {
        return read(reader -> reader.reference(name));
    }

    @Override
    public List<ReferenceRow> references(ReferenceKind kind, String afterName, int limit) {
        return read(reader -> reader.references(kind, afterName, limit));
    }

    @Override
    public Optional<RepositoryRow> repository() {
        return read(Reader::repository);
    }

    @Override
    public List<Receipt> receipts(String scope) {
        return read(reader -> reader.receipt(scope)).stream().toList();
    }

    @Override
    public List<Receipt> receiptsAfter(String afterScope, int limit) {
        return read(reader -> reader.receiptsAfter(afterScope, limit));
    }

    @Override
    public long numbers(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("A block has at least one number");
        }
        return write(() -> writer.takeNumbers(count));
    }

    @Override
    public WriteOutcome write(List<CommitRow> rows, Collection<Long> adopted, Change change, List<Receipt> receipts) {
        return write(() -> writer.write(rows, adopted, change, receipts));
    }

    @Override
    public void forgetReceipt(Receipt receipt) {
        apply(() -> writer.forgetReceipt(receipt));
    }

    @Override
    public OptionalLong clockMicros() {
        return OptionalLong.empty();
    }

    @Override
    public void forgetReceipts(long expiredBeforeMicros) {
        apply(() -> writer.forgetReceipts(expiredBeforeMicros));
    }

    @Override
    public void condemn(Collection<Long> numbers, long atMicros) {
        apply(() -> writer.condemn(numbers, atMicros));
    }

    @Override
    public List<Condemned> condemned(long afterNumber, int limit) {
        return read(reader -> reader.condemned(afterNumber, limit));
    }

    @Override
    public void spare(Collection<Long> numbers) {
        apply(() -> writer.spare(numbers));
    }

    @Override
    public int delete(Collection<Condemned> marks) {
        return write(() -> writer.delete(marks));
    }

    /** Waits for what is under way, then gives the folder free. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        writerThread.close();
        writing.lock();
        try (lock) {
            try {
                closeReaders();
            } finally {
                connection.close();
            }
        } catch (SQLException | IOException e) {
            throw new StoreUnavailableException("The store did not close cleanly; nothing written is lost", e);
        } finally {
            writing.unlock();
        }
    }

    private void closeReaders() throws SQLException {
        List<Reader> idle = new ArrayList<>();
        while (idle.size() < READERS) {
            idle.add(Uninterruptibles.takeUninterruptibly(readers));
            idle.getLast().close();
        }
        // Whoever still waits for one gets it and is told that the store is closed.
        readers.addAll(idle);
    }

    @FunctionalInterface
    private interface Query<T> {
        T on(Reader reader) throws SQLException;
    }

    /** Changes that a call makes in the open transaction. Made again if those of another call failed beside them. */
    @FunctionalInterface
    private interface Changes<T> {
        T make() throws SQLException;
    }

    /** Changes that there is nothing to tell of but that they are made. */
    @FunctionalInterface
    private interface Effect {
        void make() throws SQLException;
    }

    private <T> T read(Query<T> query) {
        Reader reader = Uninterruptibles.takeUninterruptibly(readers);
        try {
            requireOpen();
            return query.on(reader);
        } catch (SQLException e) {
            throw new StoreUnavailableException("The store cannot be read", e);
        } finally {
            readers.push(reader);
        }
    }

    private void apply(Effect effect) {
        write(() -> {
            effect.make();
            return effect;
        });
    }

    private <T> T write(Changes<T> changes) {
        Waiting<T> call = new Waiting<>(changes);
        try {
            if (!writing.hasQueuedThreads() && writing.tryLock()) {
                try {
                    call.run();
                } finally {
                    writing.unlock();
                }
            } else {
                writerThread.execute(call);
            }
            return Uninterruptibles.getUninterruptibly(call.answer);
        } catch (RejectedExecutionException e) {
            throw new StoreUnavailableException("The store is closed", e);
        } catch (ExecutionException e) {
            throw asUnchecked(e.getCause());
        }
    }

    /** A call that waits until it is written. Who writes it takes along what waits by then. */
    private final class Waiting<T> implements Runnable {

        private final Changes<T> changes;
        private final CompletableFuture<T> answer = new CompletableFuture<>();

        Waiting(Changes<T> changes) {
            this.changes = changes;
        }

        @Override
        public void run() {
            List<Waiting<?>> calls = new ArrayList<>();
            writing.lock();
            try {
                for (Runnable next = this; next != null; next = calls.size() < MOST_TOGETHER ? waiting.poll() : null) {
                    calls.add((Waiting<?>) next);
                }
                writeTogether(calls);
            } catch (RuntimeException | Error unforeseen) {
                broken = true;
                calls.forEach(call -> call.fail(unforeseen));
            } finally {
                writing.unlock();
            }
        }

        /** What answers the call once the transaction is committed. */
        Runnable change() throws SQLException {
            T result = changes.make();
            return () -> answer.complete(result);
        }

        void fail(Throwable failure) {
            answer.completeExceptionally(failure);
        }
    }

    /** Makes the changes of some calls in one transaction, or those of each in one of its own if any of them fails. */
    private void writeTogether(List<Waiting<?>> calls) {
        List<Runnable> answers = new ArrayList<>();
        try {
            requireOpen();
            if (broken) {
                reconnect();
            }
            for (Waiting<?> call : calls) {
                answers.add(call.change());
            }
        } catch (SQLException | RuntimeException failure) {
            rollback();
            if (calls.size() > 1) {
                calls.forEach(call -> writeTogether(List.of(call)));
            } else {
                calls.forEach(call -> call.fail(failure instanceof SQLException sql ? notWritten(sql) : failure));
            }
            return;
        }
        try {
            connection.commit();
        } catch (SQLException failure) {
            if (isFull(failure)) {
                // The log lacks the end of the transaction, which a crash cannot bring back.
                rollback();
                calls.forEach(call -> call.fail(notWritten(failure)));
            } else {
                broken = true;
                calls.forEach(
                        call -> call.fail(new OutcomeUnknownException("The store did not confirm a write", failure)));
            }
            return;
        }
        answers.forEach(Runnable::run);
    }

    private void rollback() {
        try {
            connection.rollback();
        } catch (SQLException e) {
            broken = true;
        }
    }

    /**
     * Starts anew after a failure that leaves open what this connection and the system still hold of its last transaction. After
     * a failed sync the system may have dropped what it could not write. That can only be of the transaction that was not
     * acknowledged, and the next one writes its place in the log anew.
     */
    private void reconnect() throws SQLException {
        connection.close();
        connection = connect(file);
        try {
            Schema.open(connection, file);
        } catch (UnusableFolderException e) {
            throw new StoreUnavailableException(e.getMessage(), e);
        }
        writer = writer(connection);
        broken = false;
    }

    private static boolean isFull(SQLException failure) {
        return failure.getErrorCode() == SQLiteErrorCode.SQLITE_FULL.code;
    }

    private StoreUnavailableException notWritten(SQLException failure) {
        return new StoreUnavailableException(
                isFull(failure)
                        ? "There is no space left for " + file + ": free some on its disk"
                        : "The store cannot be written",
                failure);
    }

    private void requireOpen() {
        if (closed) {
            throw new StoreUnavailableException("The store is closed", null);
        }
    }

    private static Path createFolder(Path folder) throws IOException {
        List<Path> created = new ArrayList<>();
        for (Path at = folder.toAbsolutePath(); at != null && !Files.exists(at); at = at.getParent()) {
            created.add(at);
        }
        Files.createDirectories(folder);
        for (Path at : created) {
            sync(at.getParent());
        }
        return folder.toRealPath();
    }

    private static String reason(IOException failure) {
        return switch (failure) {
            case FileAlreadyExistsException exists -> exists.getFile() + " is a file";
            case AccessDeniedException denied -> "this process may not write to " + denied.getFile();
            case NoSuchFileException missing -> "there can be no " + missing.getFile();
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> failure.toString();
        };
    }

    /** SQLite syncs the folder of its files, but not the folders above. */
    private static void sync(Path folder) {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            // Not every system lets a program open a folder; those sync the folder with its files.
        }
    }

    private static Connection connect(Path file) throws SQLException {
        if (file.toString().indexOf('?') >= 0) {
            // The driver would take the rest of the name for settings, and open another file.
            throw new UnusableFolderException("A store cannot lie below a folder with '?' in its name: " + file, null);
        }
        SQLiteConfig config = new SQLiteConfig();
        config.setTransactionMode(TransactionMode.IMMEDIATE);
        config.setBusyTimeout(BUSY_MILLIS);
        config.setCacheSize(-CACHE_KIB_PER_CONNECTION);
        // The driver would ask for the key of each inserted row, which nobody looks at.
        config.setGetGeneratedKeys(false);
        return config.createConnection("jdbc:sqlite:" + file);
    }

    private static void discard(Deque<AutoCloseable> opened) {
        for (AutoCloseable one : opened) {
            try {
                one.close();
            } catch (Exception e) {
                // The reason why the store did not open is the one to tell.
            }
        }
    }

    private static RuntimeException asUnchecked(Throwable failure) {
        return switch (failure) {
            case RuntimeException unchecked -> unchecked;
            case Error error -> throw error;
            default -> new IllegalStateException(failure);
        };
    }
}
