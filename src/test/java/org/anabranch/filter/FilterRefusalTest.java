package org.anabranch.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.anabranch.model.CommitHeader;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitMeta;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.Entry;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.RefusedException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every filter that cannot be answered is a bad request: on all endpoints, when it is compiled or when it fails. */
class FilterRefusalTest {

    private static final Filters FILTERS = new Filters(FilterLimits.DEFAULT, InstantSource.system());

    private static final ContentId CONTENT_ID = ContentId.parse("01234567-89ab-cdef-0123-456789abcdef");

    private static final Entry ENTRY = new Entry(ContentKey.of("a", "b"), ContentType.UDF, CONTENT_ID, null);

    private static final CommitHeader COMMIT = new CommitHeader(
            CommitId.NO_ANCESTOR,
            List.of(CommitId.NO_ANCESTOR),
            Instant.EPOCH,
            new CommitMeta("", "", List.of(""), Instant.EPOCH, List.of(), Map.of()));

    private static void assertRefused(ThrowingCallable call, String... message) {
        assertThatThrownBy(call)
                .isInstanceOf(RefusedException.class)
                .satisfies(e ->
                        assertThat(message).allSatisfy(part -> assertThat(e).hasMessageContaining(part)))
                .extracting("code", InstanceOfAssertFactories.type(ErrorCode.class))
                .isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "entry.contentType == 'UDF' && entry.keyElements[5] == 'x'; 52; index out of bounds",
                "entry.name != '' && 1 / (size(entry.keyElements) - 2) == 1; 23; divide by zero",
                "'a' in ['b'] || int(entry.name) == 1; 20; For input string",
                "entry.keyElements.all(e, int(e) == 1); 22; For input string",
                "string(b'\\xff') == entry.name; 7; Input length = 1"
            })
    void anErrorOfEvaluationIsPlaced(String filter, int column, String issue) {
        assertRefused(() -> FILTERS.entries(filter).test(ENTRY), "failed: line 1, column " + column + ": " + issue);
    }

    @Test
    void anErrorThatIsDecidedOtherwiseDoesNotLendItsPlaceToALaterOne() {
        assertRefused(
                () -> FILTERS.entries("(1 / 0 == 1 || true) && 1 % 0 == 1").test(ENTRY),
                "line 1, column 27",
                "modulus by zero");
    }

    @ParameterizedTest
    @ValueSource(strings = {"entry.name == \u001b[2J", "entry.name = 'x'", "'", "a ? b", "\u0085forged", "1 1"})
    void anErrorOfSyntaxIsToldTheClientAlone(String filter) {
        PrintStream before = System.err;
        ByteArrayOutputStream told = new ByteArrayOutputStream();
        System.setErr(new PrintStream(told, true, StandardCharsets.UTF_8));
        try {
            assertRefused(() -> FILTERS.entries(filter), "is not valid: line 1, column ");
            assertThat(told.toString(StandardCharsets.UTF_8)).isEmpty();
        } finally {
            System.setErr(before);
        }
    }

    @Test
    void longFiltersAreRefused() {
        String longest = "true" + " ".repeat(FilterLimits.DEFAULT.length() - 4);
        assertThat(FILTERS.entries(longest).test(ENTRY)).isTrue();
        assertRefused(() -> FILTERS.entries(longest + " "), "4097", "4096");
        assertRefused(() -> FILTERS.entries("'" + "\ud83d\ude00".repeat(500) + "'"), "\ude00...' is not valid");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "[", "{1:", "!-", "1+", "a.", "a[0]", "a==", "size(", "true?", "[1].all(a,"})
    void deeplyNestedFiltersAreRefused(String nested) throws InterruptedException {
        String filter = nested.repeat(FilterLimits.DEFAULT.length() / nested.length());
        assertRefused(() -> FILTERS.entries(filter));
        assertRefused(() -> FILTERS.entries(filter.substring(0, filter.length() - 4) + "true"));
    }

    @Test
    void longChainsAreRefusedBeforeTheyAreEvaluated() {
        assertRefused(() -> FILTERS.entries("1" + "+1".repeat(150) + " == 1"), "nested");
        assertRefused(() -> FILTERS.entries("1" + "+1".repeat(2000) + " == 1"), "nested");
    }

    @Test
    void longDisjunctionsAreFine() {
        assertThat(FILTERS.entries("entry.name == 'x' || ".repeat(190) + "entry.name == 'b'")
                        .test(ENTRY))
                .isTrue();
    }

    @Test
    void loopsInLoopsAreBounded() {
        assertThat(FILTERS.entries("entry.keyElements.exists(a, entry.keyElements.exists(b, a != b))")
                        .test(ENTRY))
                .isTrue();
        assertThat(FILTERS.entries(
                                "entry.keyElements.map(e, e + '!').filter(e, e != 'a!').map(e, e + '?').exists(e, true)")
                        .test(ENTRY))
                .as("loops one after the other")
                .isTrue();
        assertRefused(() -> FILTERS.entries("[1].all(a, [1].all(b, [1].all(c, true)))"), "nested loops");
    }

    @Test
    void evaluationIsBoundedBySteps() {
        String numbers = "[1" + ",1".repeat(900) + "]";
        assertRefused(
                () -> FILTERS.entries(numbers + ".all(a, " + numbers + ".all(b, a == b))")
                        .test(ENTRY),
                "1000000 steps",
                "anabranch.limits.filter-steps");
        assertThat(FILTERS.entries(numbers + ".all(a, " + numbers + ".exists(b, a == b))")
                        .test(ENTRY))
                .as("a loop that ends early costs what it takes")
                .isTrue();
        Filter<Entry> copies = new Filters(new FilterLimits(4_096, 100, Duration.ofSeconds(1)), InstantSource.system())
                .entries("size([1,2,3,4,5].map(a, [1,2,3,4,5].map(b, a + b))) == 5");
        assertRefused(() -> copies.test(ENTRY), "100 steps");
        assertRefused(() -> copies.test(ENTRY), "100 steps");
    }

    @Test
    void evaluationForOneRequestIsBoundedByTime() {
        Instant start = Instant.parse("2026-01-31T12:00:00Z");
        Duration[] passed = {Duration.ZERO};
        Filters filters =
                new Filters(new FilterLimits(4_096, 100, Duration.ofSeconds(30)), () -> start.plus(passed[0]));
        Filter<Entry> filter = filters.entries("true");
        Filter<Entry> timed = filters.timed(filter);
        passed[0] = Duration.ofSeconds(30);
        assertThat(timed.test(ENTRY)).isTrue();
        passed[0] = Duration.ofMillis(30_001);
        assertRefused(() -> timed.test(ENTRY), "30000 ms", "anabranch.limits.filter-time");
        assertThat(filter.test(ENTRY)).isTrue();
        assertThat(filters.timed(filter).test(ENTRY)).isTrue();
    }

    private static CommitHeader commitSaying(String message) {
        return new CommitHeader(
                CommitId.NO_ANCESTOR,
                List.of(CommitId.NO_ANCESTOR),
                Instant.EPOCH,
                new CommitMeta(message, "", List.of(""), Instant.EPOCH, List.of(), Map.of()));
    }

    /** Both are the caller's: the filter, and the message of a commit, which is as long as a request may make it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "commit.message.matches('(a?){1000}b')",
                "[1, 2].all(n, !commit.message.matches('(a{1,100}){1,20}b' + string(n)))",
                "commit.message.contains(commit.message + 'b')",
            })
    void searchingALongTextTakesMoreSteps(String filter) {
        HistoryView view = new HistoryView(commitSaying("a".repeat(16 << 20)), List::of);
        assertRefused(() -> FILTERS.history(filter).test(view), "1000000 steps");
    }

    @Test
    void searchingTheLongestMessageForWhatPeopleLookForIsFine() {
        HistoryView view = new HistoryView(commitSaying("nightly load ".repeat(5_041) + "TICKET-4711"), List::of);
        assertThat(FILTERS.history("commit.message.matches('(TICKET|ISSUE|BUG)-[0-9]{3,5}$')")
                        .test(view))
                .isTrue();
        assertThat(FILTERS.history("commit.message.contains('TICKET-4711')").test(view))
                .isTrue();
    }

    @Test
    void oneEvaluationIsBoundedByTimeToo() {
        Instant start = Instant.parse("2026-01-31T12:00:00Z");
        int[] looks = {0};
        Filters filters = new Filters(FilterLimits.DEFAULT, () -> start.plusSeconds(looks[0]++));
        String numbers = "[1" + ",1".repeat(99) + "]";
        Filter<HistoryView> filter = filters.history(numbers + ".all(a, " + numbers + ".all(b, a == b))");
        HistoryView view = new HistoryView(COMMIT, List::of);

        assertThat(filter.test(view)).isTrue();
        assertRefused(
                () -> filters.timed(filter).test(view),
                "Filter took longer than the limit of 30000 ms: narrow the request");
    }

    @Test
    void patternsTakeLinearTime() {
        Filter<ContentKey> hostile = FILTERS.diff("key.name.matches('^(a|a|aa)*$')");
        assertThat(hostile.test(ContentKey.of("a".repeat(490) + "!"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(((a{1,1000}){1,1000}){1,1000})",
                "((a{1000}){1000}){1000}",
                "(?:[[:alpha:])]{1000}){1000}",
                "(\\Q[\\E(a{1000}){1000})",
                "([^]({]{1000}b)(c{999}d{999}){3,}"
            })
    void patternsWhoseRepetitionsFillTheMemoryAreRefused(String pattern) {
        assertRefused(
                () -> FILTERS.entries("entry.name.matches(r'" + pattern + "')"), "with its repetitions written out");
        Filter<Entry> late = FILTERS.entries("entry.name.matches(r'" + pattern + "' + entry.name)");
        assertRefused(() -> late.test(ENTRY), "with its repetitions written out");
    }

    @Test
    void patternsWithGroupsInGroupsWithoutEndAreRefused() {
        String nested = "(".repeat(2000) + ")".repeat(2000);
        assertRefused(() -> FILTERS.entries("entry.name.matches('" + nested + "')"), "nested more than 100 deep");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "^[b]{1,63}(\\.[a-z]{1,63}){0,10}$",
                "(x{2}|\\Q[(\\E{1000}|b{1,3})",
                "[]b]{1,1000}(\\d{4}-\\d{2}-\\d{2})?",
                "b{,5}|b{|b"
            })
    void patternsWithModestRepetitionsAreTaken(String pattern) {
        assertThat(FILTERS.entries("entry.name.matches(r'" + pattern + "')").test(ENTRY))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a|", "a?", "(a)", "[ab]", "\\pL"})
    void patternsOfManyPartsSideBySideAreTaken(String part) {
        String pattern = part.repeat(4000 / part.length());
        assertThat(FILTERS.entries("entry.name.matches(r'" + pattern + "') || true")
                        .test(ENTRY))
                .isTrue();
    }
}
