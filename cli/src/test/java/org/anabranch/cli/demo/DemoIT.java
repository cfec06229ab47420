package org.anabranch.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

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
    void tellsItsStoryAndCleansUp() {
        StringWriter text = new StringWriter();

        int exitCode =
                new CommandLine(new DemoCommand()).setOut(new PrintWriter(text)).execute();

        assertThat(exitCode).as(text.toString()).isZero();
        assertThat(text.toString())
                .contains("publish the ETL run", "|\\", "|/", "gone: shop/")
                .containsPattern("All [0-9]+ claims hold")
                .doesNotContain("FAILED");
        Matcher folder = Pattern.compile("files are in (\\S+)\\.").matcher(text.toString());
        assertThat(folder.find()).isTrue();
        assertThat(Files.exists(Path.of(folder.group(1)))).isFalse();
    }
}
