package org.anabranch.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.anabranch.faults.FaultProxy.Cut;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The proxy before a server that answers every {@code Sync} with one byte. */
@Timeout(120)
class FaultProxyTest {

    private static final int PATIENCE_MILLIS = 30_000;

    private final BlockingQueue<String> arrived = new ArrayBlockingQueue<>(100);
    private ServerSocket server;
    private FaultProxy proxy;
    private Socket client;

    @BeforeEach
    void connect() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::serve);
        proxy = new FaultProxy(server.getLocalPort());
        client = newClient();
    }

    private Socket newClient() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.getOutputStream().write(new byte[] {0, 0, 0, 8, 0, 3, 0, 0});
        return socket;
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        proxy.close();
        server.close();
    }

    private void serve() {
        while (true) {
            try {
                Socket socket = server.accept();
                Thread.ofVirtual().start(() -> answer(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void answer(Socket socket) {
        try (DataInputStream in = new DataInputStream(socket.getInputStream())) {
            in.readNBytes(8);
            while (true) {
                char type = (char) in.readUnsignedByte();
                byte[] body = new byte[in.readInt() - 4];
                in.readFully(body);
                arrived.add(type + new String(body, StandardCharsets.US_ASCII));
                if (type == 'S') {
                    socket.getOutputStream().write('Z');
                }
            }
        } catch (IOException e) {
            arrived.add("end");
        }
    }

    private void send(String message) throws IOException {
        byte[] body = message.substring(1).getBytes(StandardCharsets.US_ASCII);
        OutputStream out = client.getOutputStream();
        out.write(message.charAt(0));
        out.write(new byte[] {0, 0, 0, (byte) (body.length + 4)});
        out.write(body);
    }

    private String next() throws InterruptedException {
        return arrived.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private int answer() throws IOException {
        return client.getInputStream().read();
    }

    @Test
    void messagesAndAnswersPass() throws Exception {
        send("Pone");
        send("Stwo");

        assertThat(next()).isEqualTo("Pone");
        assertThat(next()).isEqualTo("Stwo");
        assertThat(answer()).isEqualTo('Z');
    }

    @Test
    void aMessageIsCutOff() throws Exception {
        proxy.cutAt(2, Cut.BEFORE);
        send("Sone");
        assertThat(answer()).isEqualTo('Z');
        send("Ptwo");
        send("Stwo");

        assertThat(next()).isEqualTo("Sone");
        assertThat(next()).isEqualTo("Ptwo");
        assertThat(next()).isEqualTo("end");
        assertThatThrownBy(this::answer).isInstanceOf(IOException.class);
        assertThat(proxy.takeBackCut()).isFalse();
    }

    @Test
    void halfAMessageArrives() throws Exception {
        proxy.cutAt(1, Cut.WITHIN);
        send("Sone");

        assertThat(next()).isEqualTo("end");
    }

    @Test
    void anAnswerIsLost() throws Exception {
        proxy.cutAt(1, Cut.ANSWER_LOST);
        send("Sone");

        assertThat(next()).isEqualTo("Sone");
        assertThatThrownBy(this::answer).isInstanceOf(IOException.class);
    }

    @Test
    void nothingPassesThroughABlackHoleUntilItIsOpened() throws Exception {
        send("Sone");
        assertThat(answer()).isEqualTo('Z');
        proxy.passing(false);
        send("Stwo");
        client.setSoTimeout(100);
        assertThatThrownBy(this::answer).isInstanceOf(SocketTimeoutException.class);
        client.setSoTimeout(PATIENCE_MILLIS);
        proxy.passing(true);

        assertThat(answer()).isEqualTo('Z');
    }

    @Test
    void allIsCutAndNothingNewGetsThrough() throws Exception {
        send("Sone");
        assertThat(answer()).isEqualTo('Z');
        proxy.accepting(false);
        proxy.cutAll();

        assertThatThrownBy(this::answer).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> {
                    client = newClient();
                    if (answer() < 0) {
                        throw new IOException("ended");
                    }
                })
                .isInstanceOf(IOException.class);
        proxy.accepting(true);
        client = newClient();
        send("Stwo");
        assertThat(answer()).isEqualTo('Z');
    }
}
