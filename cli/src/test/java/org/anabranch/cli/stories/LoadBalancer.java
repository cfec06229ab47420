package org.anabranch.cli.stories;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.anabranch.cli.service.ServiceProcess;
import org.anabranch.ports.FreePort;

/**
 * HAProxy in front of several services on a free loopback port, set up as docs/operations.md says: it asks each for its health, and
 * repeats nothing that a service may have taken. It ends with {@link #close}, and also when this JVM does.
 */
final class LoadBalancer implements AutoCloseable {

    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(60);

    private final Process process;
    private final int port;
    private final Thread killAtExit;

    /** @param folder existing, for its settings and its log */
    LoadBalancer(Path program, List<ServiceProcess> services, Path folder) throws IOException, InterruptedException {
        port = FreePort.choose();
        String servers = IntStream.range(0, services.size())
                .mapToObj(i -> "    server replica-" + i + " 127.0.0.1:"
                        + services.get(i).api().getPort() + " check port "
                        + services.get(i).management().getPort())
                .collect(Collectors.joining("\n"));
        Path settings = Files.writeString(folder.resolve("haproxy.cfg"), """
                defaults
                    mode http
                    timeout connect 2s
                    timeout client 90s
                    timeout server 90s
                    option redispatch
                frontend api
                    bind 127.0.0.1:%d
                    default_backend replicas
                backend replicas
                    balance roundrobin
                    option httpchk GET /q/health/ready
                    default-server inter 250ms fall 1 rise 1
                %s
                """.formatted(port, servers));
        process = new ProcessBuilder(program.toString(), "-db", "-f", settings.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("haproxy.log").toFile())
                .start();
        killAtExit = new Thread(process::destroyForcibly, "kill-haproxy");
        Runtime.getRuntime().addShutdownHook(killAtExit);
        long deadline = System.nanoTime() + ANSWERS_WITHIN.toNanos();
        while (!listens()) {
            if (process.waitFor(50, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                close();
                throw new IllegalStateException(
                        "haproxy did not start:\n" + Files.readString(folder.resolve("haproxy.log")));
            }
        }
    }

    /** Where the machine has HAProxy, if it does. */
    static Optional<Path> program() {
        return Stream.concat(Stream.of(System.getenv("PATH").split(":")), Stream.of("/usr/sbin", "/usr/local/sbin"))
                .map(folder -> Path.of(folder, "haproxy"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Base of the API, of whichever service. */
    URI api() {
        return URI.create("http://127.0.0.1:" + port + "/api/v2");
    }

    private boolean listens() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        Runtime.getRuntime().removeShutdownHook(killAtExit);
    }
}
