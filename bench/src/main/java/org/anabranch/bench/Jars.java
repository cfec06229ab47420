package org.anabranch.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.anabranch.bench.server.Product;

/** Where the build put the servers. */
record Jars(Path project) {

    Path of(Product product) {
        return project.resolve(
                switch (product) {
                    case ANABRANCH, RULED -> "src/target/quarkus-app/quarkus-run.jar";
                    case NESSIE -> "bench/target/peer/nessie-quarkus-runner.jar";
                    case EMPTY -> "bench/empty-endpoint/target/quarkus-app/quarkus-run.jar";
                });
    }

    /** @throws IllegalStateException it is not there; the message says what puts it there */
    void require(Product product) {
        if (!Files.exists(of(product))) {
            throw new IllegalStateException(of(product) + " is missing; ./anabranch bench"
                    + (product == Product.NESSIE ? " --peer" : "") + " builds or fetches it");
        }
    }

    /** Twelve digits of the service's own jars. */
    String serviceDigest() {
        Path service = of(Product.ANABRANCH).getParent();
        try (Stream<Path> own = Files.list(service.resolve("app"));
                Stream<Path> libraries = Files.list(service.resolve("lib/main"))) {
            Stream<Path> ofOtherModules =
                    libraries.filter(jar -> jar.getFileName().toString().startsWith("org.anabranch."));
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Path jar : Stream.concat(own, ofOtherModules).sorted().toList()) {
                digest.update(Files.readAllBytes(jar));
            }
            return HexFormat.of().formatHex(digest.digest()).substring(0, 12);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
