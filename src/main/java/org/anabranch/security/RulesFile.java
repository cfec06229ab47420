package org.anabranch.security;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.anabranch.filter.Condition;
import org.anabranch.filter.Conditions;
import org.anabranch.model.ContentType;
import org.anabranch.model.RefSpec;
import org.anabranch.model.RefusedException;
import org.anabranch.security.Rule.Effect;
import org.jspecify.annotations.Nullable;

/** Reads rules from YAML, in the form of docs/security.md. For one text. */
public final class RulesFile {

    /** Of the whole text, in UTF-16 code units. */
    public static final int MAX_LENGTH = 2_000_000;

    public static final int MAX_RULES = 10_000;

    /** Rules with a condition. */
    public static final int MAX_CONDITIONS = 1_000;

    private static final String RULES = "rules";
    private static final String FORM = "a rule is such as {allow: [read], roles: [analysts], references: [main]}";

    /** What a rule may say, in the order in which messages list it. */
    private enum Word {
        ALLOW,
        DENY,
        ROLES,
        USERS,
        REFERENCES,
        KEYS,
        TYPES,
        WHEN,
        NAME;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Conditions conditions;
    private final List<RuleProblem> problems = new ArrayList<>();
    private final Map<String, Integer> lineOfName = new HashMap<>();
    private int conditionCount;

    private RulesFile(Conditions conditions) {
        this.conditions = conditions;
    }

    /** @throws InvalidRulesException the text has errors: all of them, unless it is no YAML */
    public static RuleSet parse(String text, Conditions conditions) {
        if (text.length() > MAX_LENGTH) {
            throw new InvalidRulesException(List.of(new RuleProblem(
                    1, 1, "the file has " + text.length() + " characters, the limit is " + MAX_LENGTH)));
        }
        RulesFile file = new RulesFile(conditions);
        List<Rule> rules = file.rules(YamlNode.parse(text));
        if (!file.problems.isEmpty()) {
            file.problems.sort(RuleProblem.ORDER);
            throw new InvalidRulesException(file.problems);
        }
        return new RuleSet(rules);
    }

    private List<Rule> rules(YamlNode root) {
        YamlNode list = null;
        if (root instanceof YamlNode.Mapping mapping) {
            for (YamlNode.Field field : mapping.fields()) {
                if (!field.name().equals(RULES)) {
                    refuse(field, "'" + field.name() + "' is not known here: the file has one field, '" + RULES + "'");
                } else if (list != null) {
                    refuse(field, "'" + RULES + "' is there twice: put all rules into one list");
                } else {
                    list = field.value();
                }
            }
        }
        if (list == null) {
            refuse(root, "the file has no list of rules: begin it with '" + RULES + ":'");
            return List.of();
        }
        if (!(list instanceof YamlNode.Sequence sequence)) {
            refuse(list, "'" + RULES + "' is no list: begin each rule with '- '; " + FORM);
            return List.of();
        }
        if (sequence.items().size() > MAX_RULES) {
            refuse(
                    list,
                    "there are " + sequence.items().size() + " rules, the limit is " + MAX_RULES
                            + ": name several references, keys or roles in one rule");
            return List.of();
        }
        List<Rule> rules = new ArrayList<>();
        for (YamlNode item : sequence.items()) {
            if (item instanceof YamlNode.Mapping mapping) {
                rule(mapping).ifPresent(rules::add);
            } else {
                refuse(item, "this is no rule: " + FORM);
            }
        }
        return rules;
    }

    /** Empty if something is wrong with it, which is noted. */
    private Optional<Rule> rule(YamlNode.Mapping mapping) {
        int before = problems.size();
        Map<Word, YamlNode.Field> said = new LinkedHashMap<>();
        for (YamlNode.Field field : mapping.fields()) {
            Optional<Word> word = Arrays.stream(Word.values())
                    .filter(each -> each.text().equals(field.name()))
                    .findFirst();
            if (word.isEmpty()) {
                refuse(
                        field,
                        "'" + field.name() + "' is not known: a rule has "
                                + listed(List.of(Word.values()), Word::text));
            } else if (said.putIfAbsent(word.get(), field) != null) {
                refuse(field, "'" + field.name() + "' is there twice: put all its values into one list");
            }
        }
        Effect effect = said.containsKey(Word.DENY) ? Effect.DENY : Effect.ALLOW;
        YamlNode.Field effectField = said.get(effect == Effect.DENY ? Word.DENY : Word.ALLOW);
        Condition condition = said.containsKey(Word.WHEN) ? condition(said.get(Word.WHEN)) : null;
        Set<Right> rights;
        if (said.containsKey(Word.ALLOW) && said.containsKey(Word.DENY)) {
            refuse(said.get(Word.DENY), "a rule allows or denies: make it two rules");
            rights = Set.of();
        } else if (effectField != null) {
            rights = Set.copyOf(values(effectField, Right::find, "a right", Right.NAMED, Right::text));
        } else {
            requireConditionAlone(mapping, said);
            rights = Set.of(Right.PEER);
        }
        Set<String> roles = texts(said.get(Word.ROLES));
        Set<String> users = texts(said.get(Word.USERS));
        List<ReferencePattern> references = values(said.get(Word.REFERENCES), this::reference);
        List<KeyPattern> keys = values(said.get(Word.KEYS), KeyPattern::parse);
        Set<ContentType> types = new LinkedHashSet<>(values(
                said.get(Word.TYPES), RulesFile::type, "a type", List.of(ContentType.values()), ContentType::name));
        String name = name(mapping, said.get(Word.NAME));
        rights.forEach(right -> requireNarrowable(right, said));
        if (problems.size() > before) {
            return Optional.empty();
        }
        return Optional.of(new Rule(name, effect, rights, roles, users, references, keys, types, condition));
    }

    /** A rule text of the reference server stands for itself. */
    private void requireConditionAlone(YamlNode.Mapping mapping, Map<Word, YamlNode.Field> said) {
        Set<Word> other = EnumSet.noneOf(Word.class);
        other.addAll(said.keySet());
        other.removeAll(Set.of(Word.WHEN, Word.NAME));
        if (!said.containsKey(Word.WHEN) || !other.isEmpty()) {
            refuse(
                    mapping,
                    "the rule says neither 'allow' nor 'deny': add one of them with a list of rights ("
                            + listed(Right.NAMED, Right::text) + ")");
        }
    }

    /** What a right is not about cannot narrow it, and would seem to. */
    private void requireNarrowable(Right right, Map<Word, YamlNode.Field> said) {
        for (Word word : List.of(Word.REFERENCES, Word.KEYS, Word.TYPES)) {
            YamlNode.Field field = said.get(word);
            boolean narrows = word == Word.REFERENCES ? right.isNarrowedByReferences() : right.isNarrowedByKeys();
            if (field != null && !narrows) {
                refuse(
                        field,
                        "'" + field.name() + "' cannot narrow '" + right.text() + "', which is not about "
                                + (word == Word.REFERENCES ? "branches and tags" : "keys alone")
                                + ": give that right a rule of its own");
            }
        }
    }

    private String name(YamlNode.Mapping mapping, YamlNode.@Nullable Field field) {
        String place = "line " + mapping.line();
        if (field == null) {
            return place;
        }
        List<String> names = strings(field);
        if (names.size() != 1) {
            refuse(field, "a rule has one name");
            return place;
        }
        Integer other = lineOfName.putIfAbsent(names.get(0), mapping.line());
        if (other != null) {
            refuse(field, "the rule of line " + other + " has the name '" + names.get(0) + "' already: choose another");
        }
        return "'" + names.get(0) + "', " + place;
    }

    private @Nullable Condition condition(YamlNode.Field field) {
        if (!(field.value() instanceof YamlNode.Scalar scalar) || scalar.isNull()) {
            refuse(field.value(), "'when' is one text: an expression such as \"ref.startsWith(role + '/')\"");
            return null;
        }
        if (++conditionCount == MAX_CONDITIONS + 1) {
            refuse(
                    field,
                    "more than " + MAX_CONDITIONS + " rules have a 'when': use references, keys and roles, which"
                            + " cost less");
        }
        try {
            return conditions.compile(scalar.text());
        } catch (RefusedException e) {
            refuse(scalar, e.getMessage());
            return null;
        }
    }

    private ReferencePattern reference(String text) {
        boolean possible = text.equals(Question.DETACHED) || RefSpec.isName(text.replace("*", "a"));
        if (!possible) {
            throw new IllegalArgumentException("'" + text + "' matches no branch and no tag: write a name, with '*' for"
                    + " any characters; " + RefSpec.NAME_RULE);
        }
        return new ReferencePattern(text);
    }

    private static Optional<ContentType> type(String text) {
        return Arrays.stream(ContentType.values())
                .filter(type -> type.name().equals(text))
                .findFirst();
    }

    private Set<String> texts(YamlNode.@Nullable Field field) {
        return new LinkedHashSet<>(field == null ? List.of() : strings(field));
    }

    private <T> List<T> values(
            YamlNode.Field field,
            Function<String, Optional<T>> find,
            String what,
            List<T> all,
            Function<T, String> text) {
        return values(
                field,
                word -> find.apply(word)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "'" + word + "' is not " + what + ": there are " + listed(all, text))));
    }

    /** @param parse throws {@link IllegalArgumentException} with a sentence of its own */
    private <T> List<T> values(YamlNode.@Nullable Field field, Function<String, T> parse) {
        if (field == null) {
            return List.of();
        }
        List<T> values = new ArrayList<>();
        for (YamlNode.Scalar scalar : scalars(field)) {
            try {
                values.add(parse.apply(scalar.text()));
            } catch (IllegalArgumentException e) {
                refuse(scalar, Objects.requireNonNull(e.getMessage()));
            }
        }
        return values;
    }

    private List<String> strings(YamlNode.Field field) {
        return scalars(field).stream().map(YamlNode.Scalar::text).toList();
    }

    /** One text or a list of some. */
    private List<YamlNode.Scalar> scalars(YamlNode.Field field) {
        List<YamlNode> items =
                field.value() instanceof YamlNode.Sequence sequence ? sequence.items() : List.of(field.value());
        if (items.isEmpty()) {
            refuse(field, "'" + field.name() + "' is an empty list: leave it out, or name something");
        }
        List<YamlNode.Scalar> scalars = new ArrayList<>();
        for (YamlNode item : items) {
            if (item instanceof YamlNode.Scalar scalar
                    && !scalar.isNull()
                    && !scalar.text().isBlank()) {
                scalars.add(scalar);
            } else {
                refuse(item, "'" + field.name() + "' takes a text or a list of texts, none of them blank");
            }
        }
        return scalars;
    }

    private static <T> String listed(List<T> all, Function<T, String> text) {
        return all.stream().map(text).collect(Collectors.joining(", "));
    }

    private void refuse(YamlNode at, String sentence) {
        problems.add(at.problem(sentence));
    }

    private void refuse(YamlNode.Field at, String sentence) {
        problems.add(new RuleProblem(at.line(), at.column(), sentence));
    }
}
