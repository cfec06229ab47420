package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the command says of a file of rules, and with which status it ends. */
class AuthzCommandTest {

    private static final String RULES = """
            rules:
              - {allow: [read], roles: [analysts, release]}
              - {allow: [write], roles: [analysts], references: ["sandbox/*"]}
              - {name: publish, allow: [merge], roles: [release], references: [main], keys: ["sales.*"]}
              - {deny: [update], keys: ["sales.closed.*"], types: [ICEBERG_TABLE]}
              - {allow: [admin], users: [root]}
              - {allow: [read-detached], roles: [release], when: "role != 'eve'"}
            """;

    @TempDir
    private Path folder;

    private Path file;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(folder.resolve("rules.yaml"), RULES);
    }

    private int run(String... args) {
        return AuthzCommand.run(
                args,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private int explain(String options) {
        List<String> args = new ArrayList<>(List.of("explain", "--rules", file.toString()));
        args.addAll(Arrays.asList(options.split(" ")));
        return run(args.toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({
        "0, --role analysts --operation read --ref main",
        "0, --role analysts --operation read --ref main --key sales.orders",
        "1, --role analysts --operation write --ref main --key sales.orders",
        "0, --role analysts --operation write --ref sandbox/ann --key a",
        "1, --role analysts --operation update --ref sandbox/ann --key sales.closed.may --type ICEBERG_TABLE",
        "0, --role analysts --operation update --ref sandbox/ann --key sales.closed.may --type UDF",
        "0, --role release --operation merge --ref main --key sales.orders",
        "0, --role release --operation merge --ref main",
        "1, --role release --operation merge --ref main --key hr.people",
        "1, --role release --operation UPDATE_ENTITY --ref main --key sales.orders",
        "0, --user root --operation ADMIN_SWEEP",
        "1, --operation admin",
        "0, --user ann --role release --operation read --detached --key a",
        "1, --user eve --role release --operation read --detached --key a",
        "2, --operation fly --ref main",
        "2, --operation all --ref main",
        "2, --operation read",
        "2, --operation read --ref main --detached",
        "2, --operation update --ref main --key ..",
        "2, --operation FORCE_CHANGE --ref main",
        "2, --operation force --ref main",
        "2, --operation read --ref main --type TABLE",
        "2, --ref main",
    })
    void theStatusSaysWhatIsDecided(int status, String options) {
        assertThat(explain(options)).as("%s%s", out, err).isEqualTo(status);
        assertThat(err.size() > 0).isEqualTo(status == AuthzCommand.BAD_INPUT);
    }

    @Test
    void theDecidingRuleIsNamedWithItsText() {
        explain("--user ann --role release --operation merge --ref main --key sales.orders");
        assertThat(out.toString(StandardCharsets.UTF_8))
                .startsWith("Allowed for 'ann' with roles [release]: merge\n")
                .contains(
                        "  allowed VIEW_REFERENCE on 'main'\n      line 2: {allow: [read], roles: [analysts, release]}\n")
                .contains(
                        "  allowed UPDATE_ENTITY of 'sales.orders' on 'main'\n      'publish', line 4: {allow: [merge],"
                                + " roles: [release], references: [main], keys: [sales.*]}\n");
    }

    @Test
    void aDenialNamesTheRuleThatDenies() {
        explain("--role analysts --operation update --ref sandbox/x --key sales.closed.may --type ICEBERG_TABLE");
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains(
                        "  denied  UPDATE_ENTITY of 'sales.closed.may' on 'sandbox/x'\n      line 5: {deny: [update],");
    }

    @Test
    void aDenialForLackOfARuleNamesThoseThatComeNear() {
        explain("--role release --operation merge --ref main --key hr.people");
        assertThat(out.toString(StandardCharsets.UTF_8))
                .startsWith("Denied for an unnamed caller with roles [release]: merge\n")
                .contains("      no rule allows it\n      near: 'publish', line 4: ")
                .contains(", but it is for other keys\n");
    }

    @Test
    void aGoodFileIsCalledGood() {
        assertThat(run("check", "--rules", file.toString())).isEqualTo(AuthzCommand.GOOD);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("The 6 rules in " + file + " are good.\n");
    }

    @Test
    void everyErrorOfAFileIsToldWithItsPlace() throws IOException {
        Files.writeString(file, "rules:\n  - {allow: [raed]}\n  - {deny: [x]}\n");
        assertThat(run("check", "--rules", file.toString())).isEqualTo(AuthzCommand.DENIED);
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .hasSize(2)
                .allMatch(line -> line.startsWith(file + ": line "));
        assertThat(explain("--operation admin")).isEqualTo(AuthzCommand.BAD_INPUT);
    }

    @Test
    void aFileThatIsNotThereIsBadInput() {
        assertThat(run("check", "--rules", folder.resolve("other").toString())).isEqualTo(AuthzCommand.BAD_INPUT);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("there is no file");
    }

    @Test
    void eachCommandHasItsPageOfHelp() {
        assertThat(run("--help")).isEqualTo(0);
        assertThat(run("explain", "--help")).isEqualTo(0);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("check", "explain", "--detached");
        assertThat(run()).isEqualTo(AuthzCommand.BAD_INPUT);
    }
}
