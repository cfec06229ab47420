package org.anabranch.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class DemoIT {

    @Test
    void tellsItsStoryWaitsIfAskedToAndCleansUp() {
        StringWriter text = new StringWriter();

        int exitCode = new CommandLine(new DemoCommand(new ByteArrayInputStream("\nx".getBytes(UTF_8))))
                .setOut(new PrintWriter(text))
                .execute("--keep");

        assertThat(exitCode).as(text.toString()).isZero();
        assertThat(text.toString())
                .contains("publish the ETL run", "|\\", "|/", "gone: shop/")
                .containsPattern("All [0-9]+ claims hold")
                .contains("until you press Enter", "gc run --uri http://127.0.0.1:")
                .doesNotContain("FAILED");
        Matcher folder = Pattern.compile("files are in (\\S+)\\.").matcher(text.toString());
        assertThat(folder.find()).isTrue();
        assertThat(Files.exists(Path.of(folder.group(1)))).isFalse();
    }
}
