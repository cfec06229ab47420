package org.anabranch.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {

    @ParameterizedTest
    @ValueSource(strings = {"--version", "demo --version", "gc --version", "gc run --version"})
    void everyCommandTellsTheVersion(String arguments) {
        StringWriter text = new StringWriter();
        CommandLine commandLine = Main.commandLine().setOut(new PrintWriter(text));

        assertThat(commandLine.execute(arguments.split(" "))).isZero();

        assertThat(text.toString()).startsWith("Anabranch ").hasLineCount(1);
    }
}
