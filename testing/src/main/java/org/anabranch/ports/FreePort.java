package org.anabranch.ports;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** A port of this machine that nobody listens on. */
public final class FreePort {

    /** Below those that systems give to outgoing connections, one of which might take the port while its server is down. */
    private static final int FIRST = 20_000;

    private static final int END = 32_000;

    private FreePort() {}

    /** A port that was free just now on the loopback interface. */
    public static int choose() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException e) {
                // It is somebody's.
            }
        }
    }
}
