package org.anabranch.api.v2;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.deser.std.StringDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.TypeIdResolver;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.function.Function;

/**
 * The one configuration of Jackson for this API. Strict in values: numbers do not become strings or the other way round,
 * nothing is cut off, texts are whole, enums and type names are in exact case, instants are ISO-8601 texts. Lenient in fields:
 * unknown ones are ignored, except where a body says otherwise.
 */
public final class ApiJson {

    /** How deep objects and arrays may lie in one another; what this API has lies in no more than ten. */
    private static final int DEPTH = 100;

    /** How many characters a number may have; what this API has fits into twenty. */
    private static final int DIGITS = 100;

    private ApiJson() {}

    /** A mapper of its own, which the caller must not reconfigure while it is in use. */
    public static ObjectMapper newMapper() {
        SimpleModule values = new SimpleModule("api-v2")
                .addDeserializer(Instant.class, new TextDeserializer<>(Instant.class, ApiJson::instant))
                .addDeserializer(String.class, new WholeTexts())
                .addKeyDeserializer(String.class, new WholeKeys())
                .addDeserializer(Duration.class, new TextDeserializer<>(Duration.class, ApiJson::duration));
        JsonMapper mapper = JsonMapper.builder(JsonFactory.builder()
                        .streamReadConstraints(StreamReadConstraints.builder()
                                .maxNestingDepth(DEPTH)
                                .maxNumberLength(DIGITS)
                                .build())
                        .build())
                .addModule(new JavaTimeModule())
                .addModule(values)
                .disable(
                        SerializationFeature.WRITE_DATES_AS_TIMESTAMPS,
                        SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .enable(
                        DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                        DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .addHandler(new UnknownTypes())
                .build();
        for (CoercionInputShape shape :
                List.of(CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean)) {
            mapper.coercionConfigFor(LogicalType.Textual).setCoercion(shape, CoercionAction.Fail);
        }
        return mapper;
    }

    private static Instant instant(String text) {
        OffsetDateTime time = OffsetDateTime.parse(text);
        if (time.getYear() < 1 || time.getYear() > 9999) {
            throw new DateTimeException("the year lies outside 0001 to 9999");
        }
        return time.toInstant();
    }

    private static Duration duration(String text) {
        return Duration.parse(text.replace(',', '.'));
    }

    /** Reads times from texts alone; numbers, whose unit nobody can see, are refused. */
    private static final class TextDeserializer<T> extends StdDeserializer<T> {

        private static final long serialVersionUID = 1L;

        private final transient Function<String, T> parse;

        TextDeserializer(Class<T> type, Function<String, T> parse) {
            super(type);
            this.parse = parse;
        }

        @Override
        public T deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            if (!parser.hasToken(JsonToken.VALUE_STRING)) {
                throw context.wrongTokenException(
                        parser, handledType(), JsonToken.VALUE_STRING, "must be a text in the form of ISO-8601");
            }
            try {
                return parse.apply(parser.getText());
            } catch (DateTimeException e) {
                throw context.weirdStringException(parser.getText(), handledType(), e.getMessage());
            }
        }
    }

    /** Refuses texts with half a character, which have no UTF-8 form and would come back as something else. */
    private static final class WholeTexts extends StringDeserializer {

        private static final long serialVersionUID = 1L;

        @Override
        public String deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            return whole(super.deserialize(parser, context), parser);
        }
    }

    /** The same for the names of a map's entries. */
    private static final class WholeKeys extends KeyDeserializer {

        @Override
        public Object deserializeKey(String key, DeserializationContext context) throws IOException {
            return whole(key, context.getParser());
        }
    }

    private static String whole(String text, JsonParser parser) throws IOException {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                throw JsonMappingException.from(
                        parser,
                        String.format(
                                "holds half a character, U+%04X, at position %d; send both halves or none",
                                (int) c, i));
            }
        }
        return text;
    }

    /** Says what is wrong with a type name in words that do not show our classes. */
    private static final class UnknownTypes extends DeserializationProblemHandler {

        @Override
        public JavaType handleUnknownTypeId(
                DeserializationContext context, JavaType base, String type, TypeIdResolver resolver, String failure)
                throws IOException {
            throw JsonMappingException.from(
                    context.getParser(),
                    base.hasRawClass(RepositoryConfig.class)
                            ? "Repository config type bundle for '" + type
                                    + "' is not available on the Nessie server side."
                            : "'" + type + "' is not a type that is known here");
        }

        @Override
        public JavaType handleMissingTypeId(
                DeserializationContext context, JavaType base, TypeIdResolver resolver, String failure)
                throws IOException {
            throw JsonMappingException.from(context.getParser(), "must be an object with the field 'type'");
        }
    }
}
