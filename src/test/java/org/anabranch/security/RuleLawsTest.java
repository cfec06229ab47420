package org.anabranch.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.anabranch.filter.ConditionView;
import org.anabranch.filter.Conditions;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.KeyBound;
import org.anabranch.model.KeyInterval;
import org.anabranch.model.VisibleKeys;
import org.anabranch.security.Check.Scope;
import org.anabranch.security.Rule.Effect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random rules, asked through every index and cache, answer as their definition says, which is written down here once more. */
class RuleLawsTest {

    private static final Conditions CONDITIONS = new Conditions();

    /** Every key of up to three elements out of three. */
    private static final List<ContentKey> KEYS = keys();

    private static final List<String> REFERENCES =
            List.of("main", "dev", "dev/a", "dev/a/b", "rel-1", Question.DETACHED);
    private static final List<String> PATTERNS =
            List.of("main", "dev", "dev/*", "*", "d*", "*1", "*e*-*", "dev/*/b", Question.DETACHED, "D*", "other");
    private static final List<String> KEY_PATTERNS =
            List.of("a", "a.*", "a.b", "a.b.*", "b.*", "c", "*", "a.a.a", ".a*..*", "a.c.*");

    /** A condition, and what it comes to: null if it fails. */
    private record Known(String text, Function<ConditionView, Boolean> meaning) {}

    private static final List<Known> KNOWN = List.of(
            new Known("path.startsWith('a.')", view -> view.path().startsWith("a.")),
            new Known("path == 'a.b'", view -> view.path().equals("a.b")),
            new Known(
                    "path.startsWith('a.b') && contentType != 'UDF'",
                    view -> view.path().startsWith("a.b") && !view.contentType().equals("UDF")),
            new Known(
                    "op == 'READ_CONTENT_KEY' && role == 'ann'",
                    view -> view.op().equals("READ_CONTENT_KEY") && view.role().equals("ann")),
            new Known(
                    "ref.startsWith('dev') && path == 'a.c'",
                    view -> view.ref().startsWith("dev") && view.path().equals("a.c")),
            new Known("ref == 'DETACHED'", view -> view.ref().equals("DETACHED")),
            new Known("'r1' in roles", view -> view.roles().contains("r1")),
            new Known(
                    "op in ['VIEW_REFERENCE', 'UPDATE_ENTITY'] || path == 'b'",
                    view -> List.of("VIEW_REFERENCE", "UPDATE_ENTITY").contains(view.op())
                            || view.path().equals("b")),
            new Known(
                    "1 / size(path) > 0",
                    view -> failingIf(view.path().isEmpty(), view.path().length() == 1)),
            new Known(
                    "1 / size(ref) >= 0 && path.startsWith('b')",
                    view -> failingIf(
                            view.ref().isEmpty() && view.path().startsWith("b"),
                            view.path().startsWith("b"))),
            new Known("roles[1] == 'r2' && contentType in ['UDF', 'NAMESPACE']", view -> {
                boolean type = List.of("UDF", "NAMESPACE").contains(view.contentType());
                boolean has = view.roles().size() > 1;
                return failingIf(
                        !has && type, has && type && view.roles().get(1).equals("r2"));
            }),
            new Known("path.endsWith('c')", view -> view.path().endsWith("c")),
            new Known(
                    "path.contains('b.') && contentType in ['UDF', 'ICEBERG_VIEW']",
                    view -> view.path().contains("b.")
                            && List.of("UDF", "ICEBERG_VIEW").contains(view.contentType())),
            new Known("'a.a' != path", view -> !view.path().equals("a.a")),
            new Known("true", view -> true));

    private static Boolean failingIf(boolean fails, boolean otherwise) {
        return fails ? null : Boolean.valueOf(otherwise);
    }

    private record Generated(Rule rule, Known known) {}

    private static List<ContentKey> keys() {
        List<String> elements = List.of("a", "b", "c", "a.");
        List<ContentKey> keys = new ArrayList<>();
        List<List<String>> longest = List.of(List.of());
        for (int depth = 0; depth < 3; depth++) {
            longest = longest.stream()
                    .flatMap(head -> elements.stream()
                            .map(last -> Stream.concat(head.stream(), Stream.of(last))
                                    .toList()))
                    .toList();
            longest.forEach(each -> keys.add(new ContentKey(each)));
        }
        keys.sort(null);
        return keys;
    }

    static LongStream seeds() {
        return LongStream.range(0, 150);
    }

    private static List<Generated> rules(Random random, boolean conditions) {
        return IntStream.range(0, 1 + random.nextInt(12))
                .mapToObj(i -> rule(random, i, conditions))
                .toList();
    }

    private static Generated rule(Random random, int number, boolean conditions) {
        boolean ofPeer = conditions && random.nextInt(6) == 0;
        Known known = ofPeer || conditions && random.nextInt(3) == 0 ? KNOWN.get(random.nextInt(KNOWN.size())) : null;
        if (ofPeer) {
            return new Generated(
                    new Rule(
                            "rule " + number,
                            Effect.ALLOW,
                            Set.of(Right.PEER),
                            Set.of(),
                            Set.of(),
                            List.of(),
                            List.of(),
                            Set.of(),
                            CONDITIONS.compile(known.text())),
                    known);
        }
        Rule rule = new Rule(
                "rule " + number,
                random.nextInt(4) == 0 ? Effect.DENY : Effect.ALLOW,
                Set.copyOf(some(random, 1, 3, Right.NAMED)),
                Set.copyOf(some(random, 0, 2, List.of("r1", "r2", "r3"))),
                Set.copyOf(some(random, 0, 1, List.of("ann", "bob"))),
                some(random, 0, 2, PATTERNS).stream().map(ReferencePattern::new).toList(),
                some(random, 0, 3, KEY_PATTERNS).stream().map(KeyPattern::parse).toList(),
                Set.copyOf(some(random, 0, 2, List.of(ContentType.values()))),
                known == null ? null : CONDITIONS.compile(known.text()));
        return new Generated(rule, known);
    }

    private static <T> List<T> some(Random random, int least, int most, List<T> from) {
        return random.ints(least + random.nextInt(most - least + 1), 0, from.size())
                .mapToObj(from::get)
                .distinct()
                .toList();
    }

    private static Principal caller(Random random) {
        return new Principal(
                List.of("ann", "bob", "cid", "").get(random.nextInt(4)), some(random, 0, 3, List.of("r1", "r2", "r9")));
    }

    /** What a question comes to, by the definition alone. */
    private static boolean isAllowed(List<Generated> rules, Principal caller, Question question) {
        String reference = question.reference();
        return isAllowedItself(rules, caller, question)
                && (reference.isEmpty()
                        || isAllowedItself(rules, caller, Question.ofReference(Check.VIEW_REFERENCE, reference)))
                && (!reference.equals(Question.DETACHED)
                        || isAllowedItself(rules, caller, Question.ofReference(Check.READ_DETACHED, reference)));
    }

    private static boolean isAllowedItself(List<Generated> rules, Principal caller, Question question) {
        if (question.key() != null && question.type() == null) {
            return Arrays.stream(ContentType.values())
                    .anyMatch(type -> isAllowedItself(rules, caller, question.withType(type)));
        }
        return rules.stream().noneMatch(each -> each.rule().effect() == Effect.DENY && decides(each, caller, question))
                && rules.stream()
                        .anyMatch(each -> each.rule().effect() == Effect.ALLOW && decides(each, caller, question));
    }

    private static boolean decides(Generated generated, Principal caller, Question question) {
        Rule rule = generated.rule();
        boolean allows = rule.effect() == Effect.ALLOW;
        Check check = question.check();
        boolean isMerge = question.via() == Via.MERGE;
        boolean right = rule.rights().stream().anyMatch(each -> switch (each) {
            case READ ->
                EnumSet.of(
                                Check.VIEW_REFERENCE,
                                Check.READ_ENTRIES,
                                Check.LIST_COMMIT_LOG,
                                Check.READ_CONTENT_KEY,
                                Check.READ_ENTITY_VALUE)
                        .contains(check);
            case CREATE -> !isMerge && (check == Check.CREATE_ENTITY || allows && isCommit(check));
            case UPDATE -> !isMerge && (check == Check.UPDATE_ENTITY || allows && isCommit(check));
            case DELETE -> !isMerge && (check == Check.DELETE_ENTITY || allows && isCommit(check));
            case MERGE -> isMerge && isChange(check);
            case WRITE -> isChange(check);
            case FORCE -> check == Check.FORCE_CHANGE;
            case CREATE_REFERENCE -> check == Check.CREATE_REFERENCE;
            case ASSIGN_REFERENCE -> check == Check.ASSIGN_REFERENCE_TO_HASH;
            case DELETE_REFERENCE -> check == Check.DELETE_REFERENCE;
            case READ_DETACHED -> check == Check.READ_DETACHED;
            case READ_CONFIG -> check == Check.READ_REPOSITORY_CONFIG;
            case UPDATE_CONFIG -> check == Check.UPDATE_REPOSITORY_CONFIG;
            case ADMIN -> check.name().startsWith("ADMIN_");
            case ALL -> true;
            case PEER -> !check.name().startsWith("ADMIN_");
        });
        boolean who = rule.roles().isEmpty() && rule.users().isEmpty()
                || rule.users().contains(caller.name())
                || rule.roles().stream().anyMatch(caller.roles()::contains);
        return right && who && where(rule, question) && holds(generated, caller, question);
    }

    private static boolean isCommit(Check check) {
        return check == Check.COMMIT_CHANGE_AGAINST_REFERENCE;
    }

    private static boolean isChange(Check check) {
        return isCommit(check)
                || EnumSet.of(Check.MERGE_INTO_REFERENCE, Check.CREATE_ENTITY, Check.UPDATE_ENTITY, Check.DELETE_ENTITY)
                        .contains(check);
    }

    private static boolean where(Rule rule, Question question) {
        boolean narrowed = !rule.keys().isEmpty() || !rule.types().isEmpty();
        if (question.check().scope() == Scope.REPOSITORY) {
            return rule.references().isEmpty() && !narrowed;
        }
        boolean reference = rule.references().isEmpty()
                || rule.references().stream()
                        .anyMatch(pattern -> question.reference().equals(Question.DETACHED)
                                ? Set.of("*", Question.DETACHED).contains(pattern.text())
                                : question.reference().matches(pattern.text().replace("*", ".*")));
        if (question.key() == null) {
            return reference && (rule.effect() == Effect.ALLOW || !narrowed);
        }
        return reference
                && (rule.types().isEmpty() || rule.types().contains(question.type()))
                && (rule.keys().isEmpty()
                        || rule.keys().stream().anyMatch(pattern -> isOf(pattern.text(), question.key())));
    }

    private static boolean isOf(String pattern, ContentKey key) {
        if (pattern.equals("*")) {
            return true;
        }
        boolean below = pattern.endsWith(".*");
        String place = below ? pattern.substring(0, pattern.length() - 2) : pattern;
        List<String> elements = place.equals(".a*.") ? List.of("a.") : List.of(place.split("\\."));
        return below
                ? key.elements().size() > elements.size()
                        && key.elements().subList(0, elements.size()).equals(elements)
                : key.elements().equals(elements);
    }

    private static boolean holds(Generated generated, Principal caller, Question question) {
        if (generated.known() == null) {
            return true;
        }
        Check check = question.check();
        if (generated.rule().rights().contains(Right.PEER)) {
            check = check == Check.MERGE_INTO_REFERENCE
                    ? Check.COMMIT_CHANGE_AGAINST_REFERENCE
                    : check == Check.FORCE_CHANGE
                            ? Check.UPDATE_ENTITY
                            : check == Check.READ_DETACHED ? Check.VIEW_REFERENCE : check;
        }
        Boolean held = generated
                .known()
                .meaning()
                .apply(new ConditionView(
                        check.name(),
                        caller.name(),
                        List.copyOf(caller.roles()),
                        question.reference(),
                        question.key() == null
                                ? ""
                                : question.key().elements().stream()
                                        .map(element -> element.replace('.', '\u001d'))
                                        .collect(Collectors.joining(".")),
                        question.type() == null ? "" : question.type().name()));
        return held == null ? generated.rule().effect() == Effect.DENY : held;
    }

    private static Stream<Question> questions(Random random) {
        return Arrays.stream(Check.values())
                .flatMap(check -> Arrays.stream(Via.values()).flatMap(via -> switch (check.scope()) {
                    case REPOSITORY -> Stream.of(Question.ofRepository(check));
                    case REFERENCE -> REFERENCES.stream().map(reference -> Question.ofReference(check, reference, via));
                    case KEY ->
                        REFERENCES.stream()
                                .flatMap(reference -> some(random, 6, 12, KEYS).stream()
                                        .map(key -> Question.ofKey(check, reference, key, type(random), via)));
                }));
    }

    private static ContentType type(Random random) {
        int at = random.nextInt(ContentType.values().length + 1);
        return at == ContentType.values().length ? null : ContentType.values()[at];
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyQuestionIsAnsweredAsTheDefinitionSays(long seed) {
        Random random = new Random(seed);
        List<Generated> rules = rules(random, true);
        RuleSet set = new RuleSet(rules.stream().map(Generated::rule).toList());
        for (int i = 0; i < 6; i++) {
            Principal caller = caller(random);
            Access access = set.of(caller);
            questions(random).forEach(question -> {
                boolean expected = isAllowed(rules, caller, question);
                assertThat(access.allows(question))
                        .as("%s may %s of type %s by %s", caller, question, question.type(), set.rules())
                        .isEqualTo(expected);
                List<Decision> explained = set.explain(caller, question);
                assertThat(explained.stream().allMatch(Decision::allowed)).isEqualTo(expected);
                assertThat(explained.get(explained.size() - 1).question()).isEqualTo(question);
            });
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void visibleKeysSayOfEachKeyWhatItsQuestionSays(long seed) {
        Random random = new Random(seed);
        boolean conditions = random.nextBoolean();
        RuleSet set = new RuleSet(
                rules(random, conditions).stream().map(Generated::rule).toList());
        Access access = set.of(caller(random));
        for (String reference : REFERENCES) {
            VisibleKeys visible = access.visible(Check.READ_CONTENT_KEY, reference);
            for (ContentKey key : KEYS) {
                boolean some = false;
                for (ContentType type : ContentType.values()) {
                    boolean shown = access.allows(Question.ofKey(Check.READ_CONTENT_KEY, reference, key, type));
                    assertThat(visible.shows(key, type))
                            .as("%s of %s", type, key)
                            .isEqualTo(shown);
                    some |= shown;
                }
                assertThat(visible.showsSome(key)).isEqualTo(some);
                boolean within = visible.ranges().stream().anyMatch(range -> range.contains(key));
                assertThat(within).as("ranges have %s", key).isEqualTo(conditions ? within || some : some);
                boolean every = Arrays.stream(ContentType.values()).allMatch(type -> visible.shows(key, type));
                if (!conditions) {
                    assertThat(visible.showsAll(KeyInterval.only(key))).isEqualTo(every);
                } else if (visible.showsAll(KeyInterval.only(key))) {
                    assertThat(every).isTrue();
                }
                if (visible.showsAll(KeyInterval.keyAndBelow(key))) {
                    assertThat(KEYS.stream()
                                    .filter(each -> each.startsWith(key))
                                    .allMatch(each -> visible.showsAll(KeyInterval.only(each))))
                            .isTrue();
                }
            }
            assertAscending(visible.ranges());
            for (KeyInterval range : visible.ranges()) {
                assertThat(KEYS.stream()
                                .filter(range::contains)
                                .map(KeyInterval::only)
                                .map(visible::showsAll))
                        .as("all of %s alike", range)
                        .allMatch(all -> all == visible.showsAll(range));
            }
        }
    }

    private static void assertAscending(List<KeyInterval> ranges) {
        for (int i = 1; i < ranges.size(); i++) {
            KeyBound end = ranges.get(i - 1).until();
            KeyBound begin = ranges.get(i).from();
            assertThat(end).isNotNull();
            assertThat(begin).isNotNull().isGreaterThanOrEqualTo(end);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whoReadsEverythingIsRefusedNothing(long seed) {
        Random random = new Random(seed);
        List<Generated> rules = new ArrayList<>(rules(random, true));
        rules.add(new Generated(
                new Rule(
                        "all",
                        Effect.ALLOW,
                        Set.of(Right.READ, Right.READ_DETACHED),
                        Set.of("r1"),
                        Set.of(),
                        List.of(),
                        List.of(),
                        Set.of(),
                        null),
                null));
        RuleSet set = new RuleSet(rules.stream().map(Generated::rule).toList());
        Principal caller = caller(random);
        Access access = set.of(caller);
        if (access.readsEverything()) {
            assertThat(REFERENCES).allSatisfy(reference -> {
                assertThat(access.visible(Check.READ_CONTENT_KEY, reference)).isSameAs(VisibleKeys.ALL);
                assertThat(access.visible(Check.READ_ENTITY_VALUE, reference)).isSameAs(VisibleKeys.ALL);
                assertThat(access.allows(Question.ofReference(Check.LIST_COMMIT_LOG, reference)))
                        .isTrue();
            });
        } else {
            boolean denied = rules.stream().anyMatch(each -> each.rule().effect() == Effect.DENY);
            boolean ofAll = caller.roles().contains("r1");
            assertThat(denied || !ofAll).isTrue();
        }
    }

    /** A new branch is not to cost what all rules come to. */
    @Test
    void referencesThatConditionsDoNotTellApartShareWhatIsCompiled() {
        Access access = RulesFile.parse("""
                        rules:
                          - {allow: [read], keys: [a]}
                          - {deny: [read], keys: [b], when: "ref.startsWith('locked-') && path != 'c'"}
                          - {allow: [read], keys: [c], when: "ref.startsWith('dev/') && op == 'READ_CONTENT_KEY'"}
                          - {allow: [read], keys: [d], when: "ref == role"}
                        """, new Conditions()).of(new Principal("ann", List.of()));
        assertThat(visible(access, "ann")).isNotSameAs(visible(access, "main"));
        assertThat(visible(access, "ann").showsSome(ContentKey.of("d"))).isTrue();
        Access told = RulesFile.parse("""
                        rules:
                          - {allow: [read], keys: [a]}
                          - {deny: [read], keys: [b], when: "ref.startsWith('locked-') && path != 'c'"}
                          - {allow: [read], keys: [c], when: "ref.startsWith('dev/') && op == 'READ_CONTENT_KEY'"}
                        """, new Conditions()).of(new Principal("ann", List.of()));
        assertThat(visible(told, "one")).isSameAs(visible(told, "two")).isNotSameAs(visible(told, "dev/one"));
        assertThat(visible(told, "dev/one")).isSameAs(visible(told, "dev/two")).isNotSameAs(visible(told, "locked-1"));
        assertThat(visible(told, "dev/two").showsSome(ContentKey.of("c"))).isTrue();
        assertThat(visible(told, "two").showsSome(ContentKey.of("c"))).isFalse();
    }

    private static VisibleKeys visible(Access access, String reference) {
        return access.visible(Check.READ_CONTENT_KEY, reference);
    }

    /** Who owns the branches whose names begin with a D does not own every commit that no reference leads to. */
    @Test
    void aPatternOfNamesDoesNotMeanDetachedCommits() {
        Principal ann = new Principal("ann", List.of());
        for (String pattern : List.of("D*", "*D", "*TACH*", "DETACHE*", "**D*")) {
            Access access = RulesFile.parse(
                            "rules: [{allow: [all], references: ['" + pattern + "']}]", new Conditions())
                    .of(ann);
            assertThat(access.views(Question.DETACHED)).as(pattern).isFalse();
        }
        for (String pattern : List.of("*", Question.DETACHED)) {
            Access access = RulesFile.parse(
                            "rules: [{allow: [all], references: ['" + pattern + "']}]", new Conditions())
                    .of(ann);
            assertThat(access.views(Question.DETACHED)).as(pattern).isTrue();
        }
    }
}
