package org.anabranch.wiring;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.anabranch.versioning.transfer.ExportFile;
import org.anabranch.versioning.transfer.TransferProgress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An export beside the running service, over the management port and by the command. */
@QuarkusTest
class ExportRoutesTest {

    @TestHTTPResource(value = "", management = true)
    URI management;

    @TempDir
    Path folder;

    @Test
    void theCommandHasTheServiceWriteTheFile() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        Path file = folder.resolve("lake.export");

        int status = ExportCommand.run(
                new String[] {"--service", management.toString(), "--to", file.toString()}, stream, stream);

        assertThat(out.toString(StandardCharsets.UTF_8)).contains("were read back from it");
        assertThat(status).isEqualTo(ExportCommand.EXPORTED);
        assertThat(ExportFile.verify(file, TransferProgress.NONE).report().references())
                .isPositive();
    }

    @Test
    void theFileIsWhatThePortAnswers() throws Exception {
        Path file = folder.resolve("fetched");
        try (InputStream body = management.resolve("/admin/export").toURL().openStream()) {
            Files.copy(body, file);
        }

        assertThat(ExportFile.verify(file, TransferProgress.NONE).report().bytes())
                .isEqualTo(Files.size(file));
    }

    @Test
    void notOnThePortOfTheApi() {
        given().get("/admin/export").then().statusCode(404);
    }
}
