package org.anabranch.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.anabranch.ports.FreePort;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** An S3 server that checks signatures and keeps its objects in memory, as a process of its own. */
public final class S3Server implements AutoCloseable {

    private static final String KEY = "test-key";
    private static final String SECRET = "test-secret";
    private static final String REGION = "us-east-1";

    private final Process process;
    private final URI endpoint;

    private S3Server(Process process, URI endpoint) {
        this.process = process;
        this.endpoint = endpoint;
    }

    /**
     * Starts a server with an empty bucket.
     *
     * @param folder for its configuration and output
     */
    public static S3Server start(Path folder, String bucket) throws IOException {
        URI endpoint = URI.create("http://127.0.0.1:" + FreePort.choose());
        Path properties = Files.writeString(
                folder.resolve("s3.properties"),
                String.join(
                        "\n",
                        "s3proxy.endpoint=" + endpoint,
                        "s3proxy.authorization=aws-v2-or-v4",
                        "s3proxy.identity=" + KEY,
                        "s3proxy.credential=" + SECRET,
                        "s3proxy.ignore-unknown-headers=true",
                        "jclouds.provider=transient-nio2",
                        "jclouds.identity=any",
                        "jclouds.credential=any"));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-jar",
                        System.getProperty("gc.s3-server", "target/s3-server/s3proxy.jar"),
                        "--properties",
                        properties.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("s3.log").toFile())
                .start();
        S3Server server = new S3Server(process, endpoint);
        try {
            server.awaitStart(folder.resolve("s3.log"));
            try (S3Client client = server.client()) {
                client.createBucket(request -> request.bucket(bucket));
            }
            return server;
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** What Iceberg's FileIO needs to use the server. */
    public Map<String, String> properties() {
        return Map.of(
                "s3.endpoint", endpoint.toString(),
                "s3.path-style-access", "true",
                "s3.access-key-id", KEY,
                "s3.secret-access-key", SECRET,
                "client.region", REGION);
    }

    /** Writes an object under a key as it stands. */
    public void put(String bucket, String key, String text) {
        try (S3Client client = client()) {
            client.putObject(request -> request.bucket(bucket).key(key), RequestBody.fromString(text));
        }
    }

    private S3Client client() {
        return S3Client.builder()
                .endpointOverride(endpoint)
                .forcePathStyle(true)
                .region(Region.of(REGION))
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(KEY, SECRET)))
                .build();
    }

    private void awaitStart(Path log) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), endpoint.getPort()), 1000);
                return;
            } catch (IOException e) {
                if (!process.isAlive() || System.nanoTime() > deadline) {
                    throw new IOException("The S3 server did not start: " + Files.readString(log), e);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
