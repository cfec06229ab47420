package org.anabranch.faults;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * A TCP proxy on a port of this machine that breaks connections to a PostgreSQL server where it is told to. Safe from many
 * threads.
 *
 * <p>It understands as much of PostgreSQL's protocol as tells one message of a client from the next: after the start of a session
 * each has a byte for its type and four for its length (PostgreSQL documentation, "Message Flow"). Connections must not be
 * encrypted. What a client waits for ends with a {@code Sync} or {@code Query} message; those are what cuts are counted by.
 */
public final class FaultProxy implements AutoCloseable {

    /** Where a connection is cut, relative to a message of its client. */
    public enum Cut {
        /** The message does not reach the server; what came before it does. */
        BEFORE,
        /** The server gets half of the message. */
        WITHIN,
        /** The server gets the message and answers; the answer does not reach the client. */
        ANSWER_LOST
    }

    private static final int STARTUP = 0;
    private static final int SSL_REQUEST = 80877103;
    private static final int GSS_REQUEST = 80877104;
    private static final int BUFFER_BYTES = 1 << 16;

    private final ServerSocket server;
    private final int targetPort;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private volatile boolean accepting = true;
    private volatile boolean passing = true;

    private int waitsUntilCut;
    private Cut cut = Cut.BEFORE;

    /** @param targetPort of a server on this machine */
    public FaultProxy(int targetPort) {
        this.targetPort = targetPort;
        try {
            server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.submit(this::accept);
    }

    /** Where clients connect to. */
    public int port() {
        return server.getLocalPort();
    }

    /**
     * Cuts the connection whose client sends the n-th {@code Sync} or {@code Query} from now on, on whatever connection; once.
     *
     * @param n from 1
     */
    public synchronized void cutAt(int n, Cut where) {
        waitsUntilCut = n;
        cut = where;
    }

    /** Whether a planned cut has not happened yet; it is taken back. */
    public synchronized boolean takeBackCut() {
        boolean isOpen = waitsUntilCut > 0;
        waitsUntilCut = 0;
        return isOpen;
    }

    /** Cuts every connection now. */
    public void cutAll() {
        links.forEach(Link::cut);
    }

    /** Whether new connections get through; otherwise they are cut at once. */
    public void accepting(boolean isAccepting) {
        accepting = isAccepting;
    }

    /** Whether bytes get through; otherwise they stay here, in both directions, and the connections stay open. */
    public void passing(boolean isPassing) {
        passing = isPassing;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                if (!accepting) {
                    cut(client);
                    continue;
                }
                Socket target;
                try {
                    target = new Socket(InetAddress.getLoopbackAddress(), targetPort);
                } catch (IOException e) {
                    cut(client);
                    continue;
                }
                Link link = new Link(client, target);
                links.add(link);
                threads.submit(link::toServer);
                threads.submit(link::toClient);
            } catch (IOException e) {
                // Closed, or the client went away at once.
            }
        }
    }

    private synchronized boolean isCutDue() {
        return waitsUntilCut > 0 && --waitsUntilCut == 0;
    }

    /** By a reset, as a machine does that has gone. */
    private static void cut(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            // Then it is cut already.
        }
    }

    /** One client's connection and the one it is passed on to. */
    private final class Link {
        private final Socket client;
        private final Socket target;
        private volatile boolean isAnswerLost;

        private Link(Socket client, Socket target) {
            this.client = client;
            this.target = target;
        }

        private void cut() {
            links.remove(this);
            FaultProxy.cut(client);
            FaultProxy.cut(target);
        }

        private void toServer() {
            try {
                DataInputStream in = new DataInputStream(client.getInputStream());
                OutputStream out = target.getOutputStream();
                boolean isStarting = true;
                while (true) {
                    int type = isStarting ? STARTUP : in.readUnsignedByte();
                    int length = in.readInt();
                    byte[] rest = in.readNBytes(length - Integer.BYTES);
                    byte[] message = message(type, length, rest);
                    if (isStarting) {
                        int code = code(rest);
                        isStarting = code == SSL_REQUEST || code == GSS_REQUEST;
                    }
                    awaitPassing();
                    if ((type == 'S' || type == 'Q') && isCutDue()) {
                        cutAt(message, out);
                        return;
                    }
                    out.write(message);
                    out.flush();
                }
            } catch (IOException e) {
                cut();
            }
        }

        private void cutAt(byte[] message, OutputStream out) throws IOException {
            switch (cut) {
                case BEFORE -> cut();
                case WITHIN -> {
                    out.write(message, 0, message.length / 2);
                    out.flush();
                    cut();
                }
                // The other direction cuts when there is an answer to lose.
                case ANSWER_LOST -> {
                    isAnswerLost = true;
                    out.write(message);
                    out.flush();
                }
            }
        }

        private void toClient() {
            byte[] buffer = new byte[BUFFER_BYTES];
            try {
                InputStream in = target.getInputStream();
                OutputStream out = client.getOutputStream();
                while (true) {
                    int count = in.read(buffer);
                    awaitPassing();
                    if (count < 0 || isAnswerLost) {
                        break;
                    }
                    out.write(buffer, 0, count);
                    out.flush();
                }
            } catch (IOException e) {
                // Cut below.
            }
            cut();
        }

        private void awaitPassing() throws IOException {
            while (!passing) {
                if (client.isClosed() || server.isClosed()) {
                    throw new IOException("closed while nothing passed");
                }
                LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
            }
        }

        private static byte[] message(int type, int length, byte[] rest) {
            int head = type == STARTUP ? Integer.BYTES : Integer.BYTES + 1;
            byte[] message = new byte[head + rest.length];
            if (type != STARTUP) {
                message[0] = (byte) type;
            }
            for (int i = 0; i < Integer.BYTES; i++) {
                message[head - 1 - i] = (byte) (length >>> (8 * i));
            }
            System.arraycopy(rest, 0, message, head, rest.length);
            return message;
        }

        private static int code(byte[] rest) {
            return (rest[0] & 0xFF) << 24 | (rest[1] & 0xFF) << 16 | (rest[2] & 0xFF) << 8 | rest[3] & 0xFF;
        }
    }

    /** Cuts everything. */
    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            cutAll();
            threads.close();
        }
    }
}
