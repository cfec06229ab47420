package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.anabranch.filter.Conditions;
import org.anabranch.security.Access;
import org.anabranch.security.Principal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in force while the file of rules changes. */
class ReloadedRulesTest {

    private static final Principal CALLER = new Principal("ann", List.of());

    private Instant now = Instant.parse("2026-01-31T12:00:00Z");

    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("rules.yaml");
    }

    private ReloadedRules start(String text) throws IOException {
        Files.writeString(file(), text);
        return new ReloadedRules(file(), new Conditions(), () -> now);
    }

    private static String reading(String reference) {
        return "rules:\n  - {allow: [read], references: [" + reference + "]}\n";
    }

    @Test
    void aChangeIsInForceOnceItWasSeenTwiceTheSame() throws IOException {
        ReloadedRules rules = start(reading("main"));
        Files.writeString(file(), reading("dev"));
        rules.look();
        assertThat(rules.of(CALLER).views("dev")).isFalse();
        Files.writeString(file(), reading("test"));
        rules.look();
        assertThat(rules.of(CALLER).views("dev")).isFalse();
        rules.look();
        assertThat(rules.of(CALLER).views("test")).isTrue();
        assertThat(rules.of(CALLER).views("main")).isFalse();
        assertThat(rules.failure()).isEmpty();
    }

    @Test
    void aRequestKeepsTheRulesItBeganWith() throws IOException {
        ReloadedRules rules = start(reading("main"));
        Access before = rules.of(CALLER);
        Files.writeString(file(), reading("dev"));
        rules.look();
        rules.look();
        assertThat(before.views("main")).isTrue();
        assertThat(before.views("dev")).isFalse();
    }

    @Test
    void aFileThatIsNotGoodChangesNothingUntilItIs() throws IOException {
        ReloadedRules rules = start(reading("main"));
        Files.writeString(file(), "rules: [{allow: [raed]}]");
        rules.look();
        assertThat(rules.failure()).isEmpty();
        rules.look();
        assertThat(rules.failure())
                .hasValueSatisfying(failure -> assertThat(failure.why())
                        .contains("rules.yaml are not good:\n  line 1, column 18: 'raed' is not a right"));
        assertThat(rules.of(CALLER).views("main")).isTrue();
        Files.writeString(file(), reading("dev"));
        rules.look();
        rules.look();
        assertThat(rules.failure()).isEmpty();
        assertThat(rules.of(CALLER).views("dev")).isTrue();
    }

    /** Whoever reaches the management port reads health, and rules are for those who write them. */
    @Test
    void healthSaysSinceWhenTheFileIsNotGoodAndNotWhatItHolds() throws IOException {
        ReloadedRules rules = start(reading("main"));
        Files.writeString(file(), "rules: [{allow: [raed]}]");
        rules.look();
        rules.look();
        now = now.plusSeconds(60);
        Files.delete(file());
        rules.look();

        assertThat(rules.failure().map(Authorization::warning))
                .contains("The file of rules is not good, or cannot be read, since 2026-01-31T12:00:00Z:"
                        + " the rules before stay in force, and the log says what is wrong");
    }

    @Test
    void aFileThatIsGoneChangesNothingAndComesBack() throws IOException {
        ReloadedRules rules = start(reading("main"));
        Files.delete(file());
        rules.look();
        assertThat(rules.failure())
                .hasValueSatisfying(failure -> assertThat(failure.why()).contains("there is no file"));
        assertThat(rules.of(CALLER).views("main")).isTrue();
        Files.writeString(file(), reading("main"));
        rules.look();
        rules.look();
        assertThat(rules.failure()).isEmpty();
    }

    @Test
    void aServiceDoesNotStartWithAFileThatIsNotGood() throws IOException {
        assertThatThrownBy(() -> start("rules:\n  - {allow: [raed]}\n  - {deny: [x]}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("are not good:\n  line 2, column 14: 'raed'")
                .hasMessageContaining("\n  line 3, column 13: 'x'");
        Files.delete(file());
        assertThatThrownBy(() -> new ReloadedRules(file(), new Conditions(), () -> now))
                .hasMessageContaining("there is no file");
        Files.write(file(), "rules: [] # \u00e4".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> new ReloadedRules(file(), new Conditions(), () -> now))
                .hasMessageContaining("is no text in UTF-8");
        Files.write(file(), new byte[8_000_001]);
        assertThatThrownBy(() -> new ReloadedRules(file(), new Conditions(), () -> now))
                .hasMessageContaining("larger than any file of rules");
    }
}
