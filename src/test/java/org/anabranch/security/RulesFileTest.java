package org.anabranch.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.anabranch.filter.Conditions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a file of rules may say, and that every error in one is told with its place and its remedy. */
class RulesFileTest {

    private static final Conditions CONDITIONS = new Conditions();

    static Stream<Arguments> errors() {
        return Stream.of(
                error("", "line 1, column 1: the file is empty: write 'rules: []'"),
                error("# nothing\n", "line 1, column 1: the file is empty"),
                error("allow: [read]", "line 1, column 1: 'allow' is not known here: the file has one field, 'rules'"),
                error("- {allow: [read]}", "line 1, column 1: the file has no list of rules: begin it with 'rules:'"),
                error("rules:\n  allow: [read]", "line 2, column 3: 'rules' is no list: begin each rule with '- '"),
                error("rules: []\nrules: []", "line 2, column 1: 'rules' is there twice"),
                error("rules: []\n---\nrules: []", "line 3, column 1: the file has a second document"),
                error("rules:\n  - read", "line 2, column 5: this is no rule"),
                error("rules:\n  - {allow: [read", "line 2, column 18: this is no YAML (expected"),
                error("rules:\n  - {allow: [read], references: [*]}", "line 2, column 35: this is no YAML (unexpected"),
                error("rules:\n  - {allow: &r [read]}\n  - {allow: *r}", "line 3, column 13: aliases are not taken"),
                rule("permit: [read]", "line 2, column 6: 'permit' is not known: a rule has allow, deny, roles,"),
                rule("allow: [read], allow: [create]", "line 2, column 21: 'allow' is there twice"),
                rule("allow: [read], deny: [create]", "line 2, column 21: a rule allows or denies: make it two rules"),
                rule("roles: [a]", "line 2, column 5: the rule says neither 'allow' nor 'deny'"),
                rule("when: 'true', roles: [a]", "line 2, column 5: the rule says neither 'allow' nor 'deny'"),
                rule("allow: [read, wirte]", "line 2, column 20: 'wirte' is not a right: there are read, create,"),
                rule("allow: [peer]", "line 2, column 14: 'peer' is not a right"),
                rule("allow: []", "line 2, column 6: 'allow' is an empty list"),
                rule("allow: [read], roles: []", "line 2, column 21: 'roles' is an empty list"),
                rule("allow: [read], roles: [~]", "line 2, column 29: 'roles' takes a text or a list of texts"),
                rule("allow: [read], users: ['  ']", "line 2, column 29: 'users' takes a text or a list of texts"),
                rule("allow: [read], users: {a: b}", "line 2, column 28: 'users' takes a text or a list of texts"),
                rule("allow: [read], references: ['a b']", "line 2, column 34: 'a b' matches no branch and no tag"),
                rule("allow: [read], references: [main@12]", "line 2, column 34: 'main@12' matches no branch"),
                rule("allow: [read], keys: ['s*s']", "line 2, column 28: 's*s' has a wildcard in its middle"),
                rule("allow: [read], keys: ['*.x.*']", "line 2, column 28: '*.x.*' has a wildcard in its middle"),
                rule("allow: [read], keys: ['.*']", "line 2, column 28: '.*' names no key"),
                rule(
                        "allow: [read], types: [TABLE]",
                        "line 2, column 29: 'TABLE' is not a type: there are ICEBERG_TABLE,"),
                rule("allow: [admin], references: [main]", "line 2, column 22: 'references' cannot narrow 'admin'"),
                rule("allow: [read-config], keys: [a]", "line 2, column 28: 'keys' cannot narrow 'read-config'"),
                rule("allow: [all], keys: [a]", "line 2, column 20: 'keys' cannot narrow 'all'"),
                rule("deny: [delete-reference], types: [UDF]", "'types' cannot narrow 'delete-reference'"),
                rule("allow: [read-detached], references: [a]", "'references' cannot narrow 'read-detached'"),
                rule("allow: [read], when: [a]", "line 2, column 27: 'when' is one text"),
                rule("allow: [read], when: ' '", "line 2, column 27: Condition must not be blank"),
                rule(
                        "allow: [read], when: 'reff == 1'",
                        "line 2, column 27: Condition 'reff == 1' is not valid: line 1, column 1:"),
                rule("allow: [read], when: 'ref'", "line 2, column 27: Condition 'ref' is not valid: it gives no bool"),
                rule(
                        "allow: [read], when: '" + "a".repeat(Conditions.MAX_LENGTH + 1) + "'",
                        "Condition has 4097 characters"),
                rule("allow: [read], name: [a, b]", "line 2, column 21: a rule has one name"),
                error(
                        "rules:\n  - {allow: [read], name: a}\n  - {allow: [read], name: a}",
                        "line 3, column 21: the rule of line 2 has the name 'a' already"));
    }

    private static Arguments error(String text, String expected) {
        return Arguments.of(text, expected);
    }

    private static Arguments rule(String fields, String expected) {
        return Arguments.of("rules:\n  - {" + fields + "}", expected);
    }

    @ParameterizedTest
    @MethodSource("errors")
    void eachErrorIsToldWithItsPlaceAndItsRemedy(String text, String expected) {
        assertThatExceptionOfType(InvalidRulesException.class)
                .isThrownBy(() -> RulesFile.parse(text, CONDITIONS))
                .satisfies(refusal -> assertThat(refusal.getMessage()).contains(expected));
    }

    @Test
    void allErrorsAreToldAtOnceInTheOrderOfTheFile() {
        String text = """
                rules:
                  - {allow: [read], references: ['']}
                  - {allow: [read], name: good}
                  - allow: [fly]
                    keys: ['a*']
                    when: "1 +"
                """;
        assertThatExceptionOfType(InvalidRulesException.class)
                .isThrownBy(() -> RulesFile.parse(text, CONDITIONS))
                .satisfies(refusal -> assertThat(refusal.problems())
                        .extracting(RuleProblem::line)
                        .containsExactly(2, 4, 5, 6));
    }

    @Test
    void thereAreNoMoreRulesThanTheLimit() {
        String rules = rules("  - {allow: [read]}\n", RulesFile.MAX_RULES);
        assertThat(RulesFile.parse(rules, CONDITIONS).rules()).hasSize(RulesFile.MAX_RULES);
        assertThatExceptionOfType(InvalidRulesException.class)
                .isThrownBy(() -> RulesFile.parse(rules + "  - {allow: [read]}\n", CONDITIONS))
                .withMessageContaining("there are 10001 rules, the limit is 10000");
    }

    @Test
    void thereAreNoMoreConditionsThanTheLimit() {
        assertThatExceptionOfType(InvalidRulesException.class)
                .isThrownBy(() -> RulesFile.parse(
                        rules("  - {allow: [read], when: 'true'}\n", RulesFile.MAX_CONDITIONS + 2), CONDITIONS))
                .satisfies(refusal -> assertThat(refusal.problems())
                        .singleElement()
                        .satisfies(problem -> assertThat(problem.toString())
                                .startsWith("line 1002, column 21: more than 1000 rules have a 'when'")));
    }

    @Test
    void aTextIsNoLongerThanTheLimit() {
        assertThatExceptionOfType(InvalidRulesException.class)
                .isThrownBy(() -> RulesFile.parse(" ".repeat(RulesFile.MAX_LENGTH + 1), CONDITIONS))
                .withMessageContaining("the limit is 2000000");
    }

    private static String rules(String rule, int count) {
        return IntStream.range(0, count).mapToObj(i -> rule).collect(Collectors.joining("", "rules:\n", ""));
    }

    @Test
    void aRuleIsWrittenInAnyFormOfYaml() {
        RuleSet flow = RulesFile.parse("rules: [{allow: read, users: [123, yes], keys: [a, 'a.*']}]", CONDITIONS);
        RuleSet block = RulesFile.parse("""
                # who counts
                rules:
                  - allow: [read]
                    users:
                      - 123
                      - "yes"
                    keys: ["a", "a.*"]
                """, CONDITIONS);
        assertThat(flow.rules().get(0))
                .usingRecursiveComparison()
                .ignoringFields("name")
                .isEqualTo(block.rules().get(0));
        assertThat(block.rules().get(0).name()).isEqualTo("line 3");
        assertThat(block.rules().get(0).users()).containsExactlyInAnyOrder("123", "yes");
    }

    @Test
    void noRulesAreRulesToo() {
        assertThat(RulesFile.parse("rules: []", CONDITIONS).rules()).isEqualTo(List.of());
    }
}
