package org.anabranch.security;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** A part of a text in YAML, with its place there. Every scalar is a text; aliases are refused. */
sealed interface YamlNode {

    int line();

    int column();

    /** @param isNull whether the text stands for no value */
    record Scalar(int line, int column, String text, boolean isNull) implements YamlNode {}

    record Sequence(int line, int column, List<YamlNode> items) implements YamlNode {}

    /** @param fields in their order; a name may come twice */
    record Mapping(int line, int column, List<Field> fields) implements YamlNode {}

    /** Its own place is that of the name. */
    record Field(int line, int column, String name, YamlNode value) {}

    default RuleProblem problem(String sentence) {
        return new RuleProblem(line(), column(), sentence);
    }

    /** @throws InvalidRulesException the text is no YAML, empty, or more than one document */
    static YamlNode parse(String text) {
        try (YAMLParser parser = new YAMLFactory().createParser(text)) {
            if (parser.nextToken() == null) {
                throw refused(1, 1, "the file is empty: write 'rules: []' if nothing shall be allowed to anybody");
            }
            YamlNode root = node(parser);
            if (parser.nextToken() != null) {
                JsonLocation at = parser.currentTokenLocation();
                throw refused(
                        at.getLineNr(),
                        at.getColumnNr(),
                        "the file has a second document: put all rules into one list");
            }
            return root;
        } catch (JsonProcessingException e) {
            throw refused(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static YamlNode node(YAMLParser parser) throws IOException {
        JsonLocation at = parser.currentTokenLocation();
        int line = at.getLineNr();
        int column = at.getColumnNr();
        if (parser.isCurrentAlias()) {
            throw refused(
                    line, column, "aliases are not taken: write the value out, or quote a text that begins with '*'");
        }
        return switch (parser.currentToken()) {
            case START_ARRAY -> {
                List<YamlNode> items = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    items.add(node(parser));
                }
                yield new Sequence(line, column, items);
            }
            case START_OBJECT -> {
                List<Field> fields = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    JsonLocation named = parser.currentTokenLocation();
                    String name = parser.currentName();
                    parser.nextToken();
                    fields.add(new Field(named.getLineNr(), named.getColumnNr(), name, node(parser)));
                }
                yield new Mapping(line, column, fields);
            }
            default -> new Scalar(line, column, parser.getText(), parser.currentToken() == JsonToken.VALUE_NULL);
        };
    }

    private static InvalidRulesException refused(int line, int column, String sentence) {
        return new InvalidRulesException(List.of(new RuleProblem(line, column, sentence)));
    }

    private static InvalidRulesException refused(JsonProcessingException e) {
        String remedy = "; quote texts that begin with '*' or hold ': '";
        // What the wrapping exception says of the place is that of the token before.
        if (e.getCause() instanceof MarkedYAMLException marked && marked.getProblemMark() != null) {
            Mark at = marked.getProblemMark();
            return refused(
                    at.getLine() + 1, at.getColumn() + 1, "this is no YAML (" + marked.getProblem() + ")" + remedy);
        }
        return refused(1, 1, "this is no YAML (" + e.getOriginalMessage() + ")");
    }
}
