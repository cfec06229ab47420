package org.anabranch.filter;

import static org.anabranch.filter.CelType.TEXTS;

import com.google.api.expr.v1alpha1.Type;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.anabranch.model.CommitHeader;
import org.anabranch.model.CommitId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.Entry;
import org.anabranch.model.ListedReference;
import org.anabranch.model.ReferenceMetadata;
import org.jspecify.annotations.Nullable;
import org.projectnessie.cel.checker.Decls;
import org.projectnessie.cel.common.types.Err;
import org.projectnessie.cel.common.types.TypeT;
import org.projectnessie.cel.common.types.Types;
import org.projectnessie.cel.common.types.pb.ProtoTypeRegistry;
import org.projectnessie.cel.common.types.ref.BaseVal;
import org.projectnessie.cel.common.types.ref.FieldType;
import org.projectnessie.cel.common.types.ref.TypeAdapterSupport;
import org.projectnessie.cel.common.types.ref.TypeRegistry;
import org.projectnessie.cel.common.types.ref.Val;
import org.projectnessie.cel.common.types.traits.FieldTester;
import org.projectnessie.cel.common.types.traits.Indexer;

/** The types that filters know: those of the language, and the objects that the API offers to filters. Immutable. */
final class CelTypes implements TypeRegistry {

    /** A commit; null where it is not fetched. */
    record Commit(@Nullable CommitHeader header) {

        private <R> @Nullable R from(Function<CommitHeader, @Nullable R> value) {
            return header == null ? null : value.apply(header);
        }

        private <R> R from(Function<CommitHeader, R> value, R otherwise) {
            return header == null ? otherwise : value.apply(header);
        }
    }

    /** The metadata of a reference; null where it is not fetched. */
    record Metadata(@Nullable ReferenceMetadata known) {

        private <R> @Nullable R from(Function<ReferenceMetadata, @Nullable R> value) {
            return known == null ? null : value.apply(known);
        }
    }

    static final CelType<ContentKey> KEY = CelType.of("Key", ContentKey.class).withKey(key -> key);

    static final CelType<Entry> ENTRY = CelType.of("Entry", Entry.class)
            .withKey(Entry::key)
            .with("contentType", Decls.String, entry -> entry.type().name());

    static final CelType<Commit> COMMIT = CelType.of("CommitMeta", Commit.class)
            .with(
                    "hash",
                    Decls.String,
                    commit -> commit.from(header -> header.id().toString()))
            .with(
                    "committer",
                    Decls.String,
                    commit -> commit.from(header -> header.meta().committer()))
            .with(
                    "author",
                    Decls.String,
                    commit -> commit.from(header -> first(header.meta().authors())))
            .with(
                    "authors",
                    TEXTS,
                    commit -> commit.from(header -> header.meta().authors(), List.of()))
            .with(
                    "signedOffBy",
                    Decls.String,
                    commit -> commit.from(header -> first(header.meta().signedOffBy())))
            .with(
                    "allSignedOffBy",
                    TEXTS,
                    commit -> commit.from(header -> header.meta().signedOffBy(), List.of()))
            .with(
                    "message",
                    Decls.String,
                    commit -> commit.from(header -> header.meta().message(), ""))
            .with("commitTime", Decls.Timestamp, commit -> commit.from(CommitHeader::commitTime))
            .with(
                    "authorTime",
                    Decls.Timestamp,
                    commit -> commit.from(header -> header.meta().authorTime()))
            .with(
                    "properties",
                    Decls.newMapType(Decls.String, Decls.String),
                    commit -> commit.from(header -> firsts(header.meta().properties()), Map.of()))
            .with(
                    "allProperties",
                    Decls.newMapType(Decls.String, TEXTS),
                    commit -> commit.from(header -> header.meta().properties(), Map.of()))
            .with("parentCommitHashes", TEXTS, commit -> commit.from(header -> texts(header.parents()), List.of()));

    static final CelType<Metadata> METADATA = CelType.of("ReferenceMetadata", Metadata.class)
            .with("numCommitsAhead", Decls.Int, metadata -> metadata.from(ReferenceMetadata::numCommitsAhead))
            .with("numCommitsBehind", Decls.Int, metadata -> metadata.from(ReferenceMetadata::numCommitsBehind))
            .with("commitMetaOfHEAD", COMMIT.type(), metadata -> metadata.from(known -> new Commit(known.head())))
            .with("commonAncestorHash", Decls.String, metadata -> metadata.from(known -> text(known.commonAncestor())))
            .with("numTotalCommits", Decls.Int, metadata -> metadata.from(ReferenceMetadata::numTotalCommits));

    static final CelType<ListedReference> REFERENCE = CelType.of("Reference", ListedReference.class)
            .with("name", Decls.String, listed -> listed.reference().name())
            .with("hash", Decls.String, listed -> listed.reference().hash().toString())
            .with(
                    "metadata",
                    METADATA.type(),
                    listed -> listed.metadata() == null ? null : new Metadata(listed.metadata()));

    static final CelType<HistoryView.Operation.Put> CONTENT = CelType.of("Content", HistoryView.Operation.Put.class)
            .with("type", Decls.String, put -> put.type().name())
            .with("id", Decls.String, put -> put.contentId().toString());

    /** An operation, apart from its class so that the content of a put is an object of another type. */
    record OperationOf(HistoryView.Operation operation) {}

    static final CelType<OperationOf> OPERATION = CelType.of("Operation", OperationOf.class)
            .withKey(of -> of.operation().key())
            .with("type", Decls.String, of -> switch (of.operation()) {
                case HistoryView.Operation.Put put -> "PUT";
                case HistoryView.Operation.Delete delete -> "DELETE";
            })
            .with(
                    "content",
                    CONTENT.type(),
                    of -> of.operation() instanceof HistoryView.Operation.Put put ? put : null);

    static final CelTypes INSTANCE = new CelTypes(List.of(KEY, ENTRY, COMMIT, METADATA, REFERENCE, CONTENT, OPERATION));

    private final TypeRegistry language = ProtoTypeRegistry.newRegistry();
    private final Map<String, CelType<?>> types = new TreeMap<>();

    private CelTypes(List<CelType<?>> types) {
        types.forEach(type -> this.types.put(type.name(), type));
    }

    private static @Nullable String text(@Nullable CommitId id) {
        return id == null ? null : id.toString();
    }

    private static List<String> texts(List<CommitId> ids) {
        return ids.stream().map(CommitId::toString).toList();
    }

    private static @Nullable String first(List<String> values) {
        return values.isEmpty() ? null : values.get(0);
    }

    private static Map<String, String> firsts(Map<String, List<String>> values) {
        Map<String, String> firsts = new TreeMap<>();
        values.forEach((name, all) -> firsts.put(name, all.get(0)));
        return firsts;
    }

    @Override
    public Val nativeToValue(Object object) {
        for (CelType<?> type : types.values()) {
            if (type.javaClass().isInstance(object)) {
                return new ObjectValue(type, object);
            }
        }
        // With this adapter, not the language's own: lists and maps may hold our objects.
        Val value = TypeAdapterSupport.maybeNativeToValue(this, object);
        return value == null ? language.nativeToValue(object) : value;
    }

    @Override
    public @Nullable FieldType findFieldType(String type, String field) {
        CelType<?> known = types.get(type);
        return known == null
                ? language.findFieldType(type, field)
                : known.fields().get(field);
    }

    @Override
    public @Nullable Type findType(String name) {
        CelType<?> known = types.get(name);
        return known == null ? language.findType(name) : Decls.newTypeType(known.type());
    }

    @Override
    public @Nullable Val findIdent(String name) {
        return language.findIdent(name);
    }

    @Override
    public Val enumValue(String name) {
        return language.enumValue(name);
    }

    @Override
    public Val newValue(String type, Map<String, Val> fields) {
        return types.containsKey(type) ? Err.unknownType(type) : language.newValue(type, fields);
    }

    @Override
    public TypeRegistry copy() {
        return this;
    }

    @Override
    public void register(Object type) {
        throw new UnsupportedOperationException("The types of filters are fixed");
    }

    @Override
    public void registerType(org.projectnessie.cel.common.types.ref.Type... registered) {
        throw new UnsupportedOperationException("The types of filters are fixed");
    }

    /** An object that filters look into. */
    private final class ObjectValue extends BaseVal implements FieldTester, Indexer {

        private final CelType<?> type;
        private final Object object;

        private ObjectValue(CelType<?> type, Object object) {
            this.type = type;
            this.object = object;
        }

        @Override
        public Val isSet(Val field) {
            FieldType known = type.fields().get(String.valueOf(field.value()));
            return known == null ? Err.noSuchField(field.value()) : Types.boolOf(known.isSet.isSet(object));
        }

        @Override
        public Val get(Val field) {
            FieldType known = type.fields().get(String.valueOf(field.value()));
            return known == null ? Err.noSuchField(field.value()) : nativeToValue(known.getFrom.getFrom(object));
        }

        @Override
        public <N> N convertToNative(Class<N> nativeClass) {
            return nativeClass.cast(object);
        }

        @Override
        public Val convertToType(org.projectnessie.cel.common.types.ref.Type wanted) {
            return Err.newTypeConversionError(type.name(), wanted);
        }

        @Override
        public Val equal(Val other) {
            return Types.boolOf(other instanceof ObjectValue that && object.equals(that.object));
        }

        @Override
        public org.projectnessie.cel.common.types.ref.Type type() {
            return TypeT.newObjectTypeValue(type.name());
        }

        @Override
        public Object value() {
            return object;
        }
    }
}
