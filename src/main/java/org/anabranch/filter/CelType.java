package org.anabranch.filter;

import com.google.api.expr.v1alpha1.Type;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.anabranch.model.ContentKey;
import org.anabranch.model.KeyEncoding;
import org.jspecify.annotations.Nullable;
import org.projectnessie.cel.checker.Decls;
import org.projectnessie.cel.common.types.NullT;
import org.projectnessie.cel.common.types.ref.FieldType;
import org.projectnessie.cel.common.types.ref.Val;

/**
 * A type of object in filters: its name, the Java class behind it, and its fields.
 *
 * @param fields by name; the value of a field is what the language knows as a string, number, instant, list or map, or an
 *     object of another such type; null where there is none
 */
record CelType<T>(String name, Class<T> javaClass, Map<String, FieldType> fields) {

    static final Type TEXTS = Decls.newListType(Decls.String);

    static <T> CelType<T> of(String name, Class<T> javaClass) {
        return new CelType<>(name, javaClass, Map.of());
    }

    CelType<T> with(String field, Type type, Function<T, ? extends @Nullable Object> value) {
        Map<String, FieldType> all = new TreeMap<>(fields);
        all.put(
                field,
                new FieldType(
                        type,
                        object -> javaClass.isInstance(plain(object))
                                && value.apply(javaClass.cast(plain(object))) != null,
                        object -> read(field, value, plain(object))));
        return new CelType<>(name, javaClass, all);
    }

    /** Adds the fields that tell of a key. */
    CelType<T> withKey(Function<T, ContentKey> key) {
        return with("key", Decls.String, key.andThen(ContentKey::toString))
                .with("keyElements", TEXTS, key.andThen(ContentKey::elements))
                .with("encodedKey", Decls.String, key.andThen(KeyEncoding.LEGACY::encode))
                .with(
                        "namespace",
                        Decls.String,
                        key.andThen(
                                k -> k.parent().map(KeyEncoding.LEGACY::encode).orElse("")))
                .with(
                        "namespaceElements",
                        TEXTS,
                        key.andThen(k -> k.elements().subList(0, k.elements().size() - 1)))
                .with("name", Decls.String, key.andThen(ContentKey::name));
    }

    Type type() {
        return Decls.newObjectType(name);
    }

    private Object read(String field, Function<T, ? extends @Nullable Object> value, Object object) {
        if (!javaClass.isInstance(object)) {
            throw new IllegalArgumentException("null has no field '" + field + "'");
        }
        // The language's own null, because the library takes Java's for the object that holds the field.
        Object found = value.apply(javaClass.cast(object));
        return found == null ? NullT.NullValue : found;
    }

    /** Loop variables come wrapped, others as they are. */
    private static Object plain(Object object) {
        return object instanceof Val wrapped ? wrapped.value() : object;
    }
}
