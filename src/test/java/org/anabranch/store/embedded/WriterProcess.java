package org.anabranch.store.embedded;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;
import org.anabranch.store.Change;
import org.anabranch.store.CommitRow;
import org.anabranch.store.Head;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.Store;
import org.anabranch.store.WriteOutcome.Written;

/**
 * The program of the tests that need a process of its own: writes batches to branches of an embedded store and prints a
 * line for each batch that was acknowledged, until it is killed, fails, or has written enough.
 *
 * <p>Arguments: folder, number of branches (each written by a thread of its own), rows per batch, batches per branch. A line
 * reads {@code ack BRANCH VERSION}, or {@code failed EXCEPTION} as the last one of a branch.
 */
final class WriterProcess {

    private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

    private WriterProcess() {}

    public static void main(String[] arguments) throws Exception {
        int branches = Integer.parseInt(arguments[1]);
        int rows = Integer.parseInt(arguments[2]);
        int batches = Integer.parseInt(arguments[3]);
        EmbeddedStore store;
        try {
            store = EmbeddedStore.open(Path.of(arguments[0]));
        } catch (UnusableFolderException e) {
            print("failed " + e.getMessage());
            return;
        }
        print("open");
        List<Thread> threads = new ArrayList<>();
        for (int branch = 0; branch < branches; branch++) {
            String name = "branch-" + branch;
            threads.add(Thread.ofVirtual().start(() -> write(store, name, rows, batches)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        store.close();
    }

    /** Starts it on the class path and the Java of this process, below a command of the system if there is one. */
    static Process start(List<String> command, Path folder, int branches, int rows, int batches) throws IOException {
        List<String> line = new ArrayList<>(command);
        line.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                WriterProcess.class.getName(),
                folder.toString(),
                String.valueOf(branches),
                String.valueOf(rows),
                String.valueOf(batches)));
        return new ProcessBuilder(line)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** The id of the n-th row ever written to a branch. */
    static CommitId id(String branch, long position) {
        try {
            byte[] text = (branch + "/" + position).getBytes(StandardCharsets.UTF_8);
            return CommitId.of(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void write(Store store, String branch, int rows, int batches) {
        try {
            for (int batch = 0; batch < batches; batch++) {
                ReferenceRow current = store.reference(branch).orElse(null);
                long written = current == null ? 0 : current.version() * rows;
                long first = store.numbers(rows);
                List<CommitRow> staged = new ArrayList<>();
                for (int row = 0; row < rows; row++) {
                    long parent = row > 0
                            ? first + row - 1
                            : current == null ? 0 : current.head().number();
                    byte[] chunk = new byte[1300];
                    staged.add(new CommitRow(first + row, id(branch, written + row), List.of(parent), List.of(chunk)));
                }
                CommitRow last = staged.getLast();
                ReferenceRow next = new ReferenceRow(
                        branch,
                        ReferenceKind.BRANCH,
                        new Head(last.number(), last.id()),
                        current == null ? first : current.incarnation(),
                        current == null ? 1 : current.version() + 1,
                        1,
                        List.of());
                Change change = new Change.OfReference(branch, current, next);
                if (!(store.write(staged, List.of(), change, List.of()) instanceof Written)) {
                    throw new IllegalStateException("Nobody else writes " + branch);
                }
                print("ack " + branch + " " + next.version());
            }
        } catch (RuntimeException e) {
            print("failed " + e.getClass().getSimpleName());
        }
    }

    /** One system call for each line, so that a line which was read is whole and a trace shows it as one event. */
    private static synchronized void print(String line) {
        try {
            OUT.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
