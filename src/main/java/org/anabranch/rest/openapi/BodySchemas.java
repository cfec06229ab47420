package org.anabranch.rest.openapi;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.anabranch.model.CommitId;
import org.anabranch.model.ContentId;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.models.media.Discriminator;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;
import org.jspecify.annotations.Nullable;

/**
 * Schemas of bodies in exactly the JSON that Jackson reads and writes, found by asking Jackson. What requests and answers both
 * hold has one schema: with the fields of either, and those required that both always have. A value may be null where Java says
 * {@link Nullable}.
 */
final class BodySchemas {

    private static final String REFERENCE = "#/components/schemas/";

    private enum Side {
        REQUEST,
        ANSWER
    }

    private record Use(Class<?> type, Side side) {}

    private final ObjectMapper mapper;
    private final SortedMap<String, Schema> schemas = new TreeMap<>();
    private final Map<String, Class<?>> named = new HashMap<>();
    private final Set<Use> known = new HashSet<>();
    private final Deque<Use> left = new ArrayDeque<>();

    BodySchemas(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    void addRequest(Class<?> body) {
        add(body, Side.REQUEST);
    }

    void addAnswer(Class<?> body) {
        add(body, Side.ANSWER);
    }

    /** Everything added, with all that it refers to. */
    SortedMap<String, Schema> byName() {
        return schemas;
    }

    private void add(Class<?> body, Side side) {
        reference(body, side);
        while (!left.isEmpty()) {
            Use use = left.remove();
            schemas.merge(name(use.type()), schema(use.type(), use.side()), BodySchemas::united);
        }
    }

    private Schema reference(Class<?> type, Side side) {
        if (known.add(new Use(type, side))) {
            left.add(new Use(type, side));
        }
        return OASFactory.createSchema().ref(REFERENCE + name(type));
    }

    /** The class's name, behind that of the class it stands in. */
    private String name(Class<?> type) {
        Class<?> outer = type.getDeclaringClass();
        String name = (outer == null ? "" : outer.getSimpleName() + ".") + type.getSimpleName();
        Class<?> namesake = named.putIfAbsent(name, type);
        if (namesake != null && namesake != type) {
            throw new IllegalStateException("Two bodies are called " + name);
        }
        return name;
    }

    private Schema schema(Class<?> type, Side side) {
        if (type.isEnum()) {
            return typed(SchemaType.STRING)
                    .enumeration(Stream.of(type.getEnumConstants())
                            .map(constant -> (Object) constant.toString())
                            .toList());
        }
        JsonSubTypes variants = type.getAnnotation(JsonSubTypes.class);
        return variants == null ? object(type, side) : choice(type, variants, side);
    }

    private Schema choice(Class<?> type, JsonSubTypes variants, Side side) {
        Discriminator discriminator = OASFactory.createDiscriminator()
                .propertyName(type.getAnnotation(JsonTypeInfo.class).property());
        Schema choice = OASFactory.createSchema().discriminator(discriminator);
        for (JsonSubTypes.Type variant : variants.value()) {
            Schema reference = reference(variant.value(), side);
            discriminator.addMapping(variant.name(), reference.getRef());
            choice.addOneOf(reference);
        }
        return choice;
    }

    private Schema object(Class<?> type, Side side) {
        Schema object = typed(SchemaType.OBJECT).properties(new LinkedHashMap<>());
        variantName(type).ifPresent(name -> {
            object.addProperty("type", typed(SchemaType.STRING).constValue(name));
            object.addRequired("type");
        });
        addProperties(object, mapper.constructType(type), side);
        return object;
    }

    /** By what name the choice that a class belongs to knows it. */
    private static Optional<String> variantName(Class<?> type) {
        return Stream.of(type.getInterfaces())
                .map(choice -> choice.getAnnotation(JsonSubTypes.class))
                .filter(variants -> variants != null)
                .flatMap(variants -> Stream.of(variants.value()))
                .filter(variant -> variant.value() == type)
                .map(JsonSubTypes.Type::name)
                .findFirst();
    }

    private void addProperties(Schema object, JavaType type, Side side) {
        BeanDescription bean = side == Side.ANSWER
                ? mapper.getSerializationConfig().introspect(type)
                : mapper.getDeserializationConfig().introspect(type);
        JsonInclude.Value always = bean.findPropertyInclusion(JsonInclude.Value.empty());
        for (BeanPropertyDefinition property : bean.findProperties()) {
            AnnotatedMember member = side == Side.ANSWER ? property.getAccessor() : property.getMutator();
            if (member == null) {
                continue;
            }
            if (isUnwrapped(member)) {
                addProperties(object, member.getType(), side);
                continue;
            }
            boolean nullable = isNullable(type.getRawClass(), property.getInternalName(), member);
            boolean mayMiss = side == Side.ANSWER && mayMiss(always, property);
            Schema value = value(member.getType(), side);
            // A field that is left out instead of null never is null in an answer, and a request may send null all the
            // same.
            object.addProperty(property.getName(), nullable && !mayMiss ? orNull(value) : value);
            if (!mayMiss && !(nullable && side == Side.REQUEST)) {
                object.addRequired(property.getName());
            }
        }
    }

    private static boolean mayMiss(JsonInclude.Value always, BeanPropertyDefinition property) {
        JsonInclude.Include include =
                always.withOverrides(property.findInclusion()).getValueInclusion();
        return include == JsonInclude.Include.NON_NULL || include == JsonInclude.Include.NON_EMPTY;
    }

    private boolean isUnwrapped(AnnotatedMember member) {
        return mapper.getSerializationConfig().getAnnotationIntrospector().findUnwrappingNameTransformer(member)
                != null;
    }

    private static boolean isNullable(Class<?> owner, String name, AnnotatedMember member) {
        AnnotatedType type;
        if (member instanceof AnnotatedParameter parameter) {
            Executable creator = (Executable) parameter.getOwner().getMember();
            type = creator.getAnnotatedParameterTypes()[parameter.getIndex()];
        } else if (owner.isRecord() && component(owner, name).isPresent()) {
            type = component(owner, name).get().getAnnotatedType();
        } else {
            type = ((Method) member.getMember()).getAnnotatedReturnType();
        }
        return type.isAnnotationPresent(Nullable.class);
    }

    private static Optional<RecordComponent> component(Class<?> record, String name) {
        return Stream.of(record.getRecordComponents())
                .filter(component -> component.getName().equals(name))
                .findFirst();
    }

    private Schema value(JavaType type, Side side) {
        Class<?> raw = type.getRawClass();
        if (type.isMapLikeType()) {
            return typed(SchemaType.OBJECT).additionalPropertiesSchema(value(type.getContentType(), side));
        }
        if (type.isCollectionLikeType() || raw == Iterator.class) {
            return typed(SchemaType.ARRAY).items(value(type.containedType(0), side));
        }
        if (raw == String.class) {
            return typed(SchemaType.STRING);
        }
        if (raw == boolean.class || raw == Boolean.class) {
            return typed(SchemaType.BOOLEAN);
        }
        if (raw == int.class || raw == Integer.class) {
            return typed(SchemaType.INTEGER).format("int32");
        }
        if (raw == long.class || raw == Long.class) {
            return typed(SchemaType.INTEGER).format("int64");
        }
        if (raw == Instant.class) {
            return typed(SchemaType.STRING).format("date-time");
        }
        if (raw == Duration.class) {
            // Not the format of that name, which knows neither fractions of a second nor a sign.
            return typed(SchemaType.STRING).pattern("^[-+]?[Pp].+$");
        }
        if (raw == CommitId.class) {
            return typed(SchemaType.STRING).pattern("^[0-9a-f]{64}$");
        }
        return raw == ContentId.class ? typed(SchemaType.STRING).format("uuid") : reference(raw, side);
    }

    private static Schema typed(SchemaType type) {
        return OASFactory.createSchema().addType(type);
    }

    private static Schema orNull(Schema value) {
        return value.getType() == null
                ? OASFactory.createSchema().addAnyOf(value).addAnyOf(typed(SchemaType.NULL))
                : value.addType(SchemaType.NULL);
    }

    private static Schema united(Schema one, Schema other) {
        if (one.getProperties() == null || other.getProperties() == null) {
            return one;
        }
        other.getProperties().forEach((name, property) -> {
            Schema known = one.getProperties().get(name);
            if (known == null || allowsNull(property)) {
                one.addProperty(name, property);
            }
        });
        if (one.getRequired() != null) {
            List<String> both = new ArrayList<>(one.getRequired());
            both.retainAll(other.getRequired() == null ? List.of() : other.getRequired());
            one.setRequired(both.isEmpty() ? null : both);
        }
        return one;
    }

    private static boolean allowsNull(Schema schema) {
        return schema.getAnyOf() != null
                || schema.getType() != null && schema.getType().contains(SchemaType.NULL);
    }
}
