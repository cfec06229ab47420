package org.anabranch.object;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.IntFunction;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitMeta;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ReferenceKind;
import org.anabranch.object.ExportedReference.EarlierHead;
import org.anabranch.store.RepositoryRow;

/**
 * The encoded form of the records of an export, see docs/formats.md. What cannot be decoded is refused with
 * {@link CorruptObjectException}.
 */
public final class ExportCodec {

    private static final int SALT_BYTES = 16;

    private ExportCodec() {}

    /** The record without its versions, which belong to the store. */
    public static byte[] encode(RepositoryRow row) {
        ByteWriter out = new ByteWriter()
                .uuid(row.id())
                .raw(row.salt())
                .string(row.defaultBranch())
                .signed(row.createdAtMicros())
                .signed(row.oldestCommitAtMicros())
                .number(row.configs().size());
        row.configs().forEach((type, json) -> out.string(type).string(json));
        return out.toBytes();
    }

    /** @param formatVersion of the record that is returned, which is new */
    public static RepositoryRow decodeRepository(byte[] encoded, int formatVersion) {
        ByteReader in = new ByteReader(encoded);
        UUID id = in.uuid();
        byte[] salt = in.raw(SALT_BYTES);
        String defaultBranch = in.string();
        long createdAtMicros = in.signed();
        long oldestCommitAtMicros = in.signed();
        int count = in.count();
        Map<String, String> configs = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            configs.put(in.string(), in.string());
        }
        in.requireEnd();
        return new RepositoryRow(
                id, formatVersion, salt, defaultBranch, createdAtMicros, oldestCommitAtMicros, configs, 1);
    }

    public static byte[] encode(ExportedReference reference) {
        ByteWriter out = new ByteWriter()
                .u8(reference.kind().ordinal())
                .string(reference.name())
                .raw(reference.head().toBytes())
                .signed(reference.createdAtMicros())
                .number(reference.published().size());
        reference
                .published()
                .forEach(earlier -> out.raw(earlier.head().toBytes()).signed(earlier.publishedAtMicros()));
        return out.toBytes();
    }

    public static ExportedReference decodeReference(byte[] encoded) {
        ByteReader in = new ByteReader(encoded);
        int kind = in.u8();
        if (kind >= ReferenceKind.values().length) {
            throw new CorruptObjectException("A reference has an unknown kind");
        }
        String name = in.string();
        CommitId head = id(in);
        long createdAtMicros = in.signed();
        int count = in.count();
        List<EarlierHead> published = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            published.add(new EarlierHead(id(in), in.signed()));
        }
        in.requireEnd();
        return new ExportedReference(ReferenceKind.values()[kind], name, head, createdAtMicros, published);
    }

    public static byte[] encode(ExportedCommit exported) {
        LogicalCommit commit = exported.commit();
        ByteWriter out = new ByteWriter()
                .raw(exported.id().toBytes())
                .number(exported.parents().size());
        exported.parents().forEach(parent -> out.number(exported.ordinal() - parent));
        out.number(commit.seq()).signed(commit.createdAtMicros());
        CommitCodec.meta(out, commit.meta());
        out.number(commit.operations().size());
        byte[] reference = {};
        for (Map.Entry<ContentKey, Optional<Content>> operation :
                commit.operations().entrySet()) {
            IndexKey key = IndexKey.of(operation.getKey());
            Content put = operation.getValue().orElse(null);
            out.u8(put == null ? CommitCodec.DELETE : CommitCodec.PUT).key(key, reference);
            if (put != null) {
                out.u8(put.type().code())
                        .uuid(Objects.requireNonNull(put.id()).value())
                        .sized(ContentCodec.encode(put));
            }
            reference = key.bytes();
        }
        return out.toBytes();
    }

    /**
     * Reads a commit. Its id is what the bytes say; whether it is the commit's hash is for the caller to see.
     *
     * @param ordinal of the commit
     * @param idOf knows the ids of lower ordinals; of 0 it is no ancestor
     */
    public static ExportedCommit decodeCommit(byte[] encoded, int ordinal, IntFunction<CommitId> idOf) {
        ByteReader in = new ByteReader(encoded);
        CommitId id = id(in);
        int count = in.count();
        List<Integer> parents = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int back = in.count();
            if (back < 1 || back > ordinal) {
                throw new CorruptObjectException("A commit has a parent that does not stand before it");
            }
            parents.add(ordinal - back);
        }
        if (parents.isEmpty()) {
            throw new CorruptObjectException("A commit has no parent, not even no ancestor");
        }
        long seq = in.number();
        long createdAtMicros = in.signed();
        CommitMeta meta = CommitCodec.meta(in);
        SortedMap<ContentKey, Optional<Content>> operations = operations(in);
        in.requireEnd();
        return new ExportedCommit(
                ordinal,
                id,
                parents,
                new LogicalCommit(parents.stream().map(idOf::apply).toList(), seq, createdAtMicros, meta, operations));
    }

    private static SortedMap<ContentKey, Optional<Content>> operations(ByteReader in) {
        int count = in.count();
        SortedMap<ContentKey, Optional<Content>> operations = new TreeMap<>();
        byte[] reference = {};
        for (int i = 0; i < count; i++) {
            int kind = in.u8();
            IndexKey key = in.key(reference);
            Optional<Content> put =
                    switch (kind) {
                        case CommitCodec.PUT ->
                            Optional.of(ContentCodec.decode(
                                    NodeCodec.contentType(in.u8()), new ContentId(in.uuid()), in.sized()));
                        case CommitCodec.DELETE -> Optional.empty();
                        default -> throw new CorruptObjectException("An operation has an unknown kind");
                    };
            if (operations.put(key.toContentKey(), put) != null) {
                throw new CorruptObjectException("A commit names a key twice");
            }
            reference = key.bytes();
        }
        return operations;
    }

    private static CommitId id(ByteReader in) {
        return CommitId.of(in.raw(CommitId.BYTES));
    }
}
