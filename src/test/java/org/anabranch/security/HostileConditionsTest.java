package org.anabranch.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.anabranch.filter.Conditions;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Conditions that cost too much or fail. The rules are the operator's, but what they are evaluated on is the caller's: roles of a
 * token, names of keys. A condition that comes to nothing never opens anything.
 */
@Timeout(60)
class HostileConditionsTest {

    private static final String NUMBERS = "[1" + ",1".repeat(200) + "]";
    private static final String ENDLESS = NUMBERS + ".all(a, " + NUMBERS + ".all(b, a == b))";

    private static Access access(String rules, List<String> roles) {
        return RulesFile.parse("rules:\n" + rules, new Conditions()).of(new Principal("ada", roles));
    }

    private static boolean reads(Access access, ContentKey key) {
        return access.allows(Question.ofKey(Check.READ_ENTITY_VALUE, "main", key, ContentType.ICEBERG_TABLE));
    }

    @Test
    void whatTakesTooManyStepsAllowsNothing() {
        Access access = access("  - {allow: [read], when: '" + ENDLESS + "'}\n", List.of("a"));

        assertThat(reads(access, ContentKey.of("sales"))).isFalse();
        assertThat(access.views("main")).isFalse();
        assertThat(access.visible(Check.READ_CONTENT_KEY, "main")
                        .shows(ContentKey.of("sales"), ContentType.ICEBERG_TABLE))
                .isFalse();
    }

    @Test
    void whatTakesTooManyStepsDeniesAllTheSame() {
        Access access =
                access("  - {allow: [read]}\n  - {deny: [read], keys: [hr], when: '" + ENDLESS + "'}\n", List.of("a"));

        assertThat(reads(access, ContentKey.of("hr"))).isFalse();
        assertThat(reads(access, ContentKey.of("sales"))).isTrue();
    }

    /** A loop over what the caller brings along. */
    @Test
    void manyRolesEndTheEvaluationAndNotTheService() {
        List<String> many = IntStream.range(0, 20_000).mapToObj(i -> "r" + i).toList();
        String rule = "  - {allow: [read], when: 'roles.exists(a, roles.exists(b, a == b + \"x\"))'}\n";

        assertThat(reads(access(rule, many), ContentKey.of("sales"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"roles[7] == \"a\"", "path.size() / 0 == 1", "int(path) == 1", "path.matches(path)"})
    void whatFailsAllowsNothing(String when) {
        Access access = access("  - {allow: [read], when: '" + when + "'}\n", List.of("a"));

        assertThat(reads(access, ContentKey.of("(((a{1000}){1000}){1000})"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[1].all(a, [1].all(b, [1].all(c, true)))",
                "path.matches(\"((a{1000}){1000}){1000}\")",
                "true && nothing",
                "size(path)"
            })
    void whatCanBeSeenToBeWrongIsRefusedWithItsPlace(String when) {
        assertThatThrownBy(() -> access("  - {allow: [read], when: '" + when + "'}\n", List.of()))
                .isInstanceOf(InvalidRulesException.class)
                .hasMessageContaining("line 2, column 27");
    }

    @Test
    void namesWithWildcardsAreMatchedInTimeThatIsLinearInBoth() {
        Access access = access("  - {allow: [read], references: ['" + "a*".repeat(100) + "b']}\n", List.of());

        assertThat(access.views("a".repeat(100_000))).isFalse();
    }
}
