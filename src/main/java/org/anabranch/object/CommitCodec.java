package org.anabranch.object;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitMeta;
import org.anabranch.store.Head;

/** The encoded form of headers and operations, and the hash of a commit. See docs/formats.md, sections 3, 4 and 8. */
final class CommitCodec {

    private static final String HASH_PREFIX = "anabranch commit 1";
    private static final int IN_HEADER = 0;
    private static final int IN_ITEMS = 1;
    static final int PUT = 1;
    static final int DELETE = 2;

    private CommitCodec() {}

    /**
     * The hash of a commit: covers everything that a client can see of it and nothing of how it is stored.
     *
     * @param operations per key the entry that was put, or empty for a deleted key
     */
    static CommitId hash(
            List<CommitId> parents,
            long seq,
            long createdAtMicros,
            CommitMeta meta,
            SortedMap<IndexKey, Optional<IndexEntry>> operations) {
        ByteWriter out = new ByteWriter().string(HASH_PREFIX).number(parents.size());
        parents.forEach(parent -> out.raw(parent.toBytes()));
        out.number(seq).signed(createdAtMicros);
        meta(out, meta);
        out.number(operations.size());
        operations.forEach((key, put) -> {
            if (put.isEmpty()) {
                out.u8(DELETE).sized(key.bytes());
            } else {
                IndexEntry entry = put.get();
                out.u8(PUT)
                        .sized(key.bytes())
                        .u8(entry.type().code())
                        .uuid(entry.contentId().value())
                        .raw(entry.content().digest().bytes());
            }
        });
        return CommitId.of(ContentDigest.sha256().digest(out.toBytes()));
    }

    static byte[] encodeHeader(Item.Header header) {
        Commit commit = header.commit();
        ByteWriter out = new ByteWriter()
                .u8(Item.HEADER)
                .raw(commit.id().toBytes())
                .number(commit.parents().size());
        for (Head parent : commit.parents()) {
            out.signed(commit.number() - parent.number()).raw(parent.id().toBytes());
        }
        out.number(commit.seq())
                .signed(commit.number() - commit.jump())
                .number(commit.seq() - commit.jumpSeq())
                .number(commit.generation())
                .number(commit.generation() - commit.jumpFloor())
                .signed(commit.number() - commit.lastMerge())
                .signed(commit.createdAtMicros())
                .number(commit.tree().count());
        if (!commit.tree().isEmpty()) {
            out.number(commit.tree().level())
                    .address(commit.tree().root(), commit.number())
                    .sum(commit.tree().sum());
        }
        if (commit.meta() == null) {
            throw new IllegalArgumentException("A stored commit has metadata");
        }
        meta(out, commit.meta());
        if (header.operations() != null) {
            out.u8(IN_HEADER).raw(encodeOperations(header.operations()));
        } else {
            out.u8(IN_ITEMS).number(header.operationItems().size());
            header.operationItems().forEach(out::number);
        }
        return out.toBytes();
    }

    static Item.Header decodeHeader(ByteReader in, long number) {
        if (in.u8() != Item.HEADER) {
            throw new CorruptObjectException("A commit row does not start with a header");
        }
        CommitId id = CommitId.of(in.raw(CommitId.BYTES));
        int parentCount = in.count();
        List<Head> parents = new ArrayList<>();
        for (int i = 0; i < parentCount; i++) {
            parents.add(new Head(number - in.signed(), CommitId.of(in.raw(CommitId.BYTES))));
        }
        long seq = in.number();
        long jump = number - in.signed();
        long jumpSeq = seq - in.number();
        long generation = in.number();
        long jumpFloor = generation - in.number();
        long lastMerge = number - in.signed();
        long createdAtMicros = in.signed();
        long keys = in.number();
        Tree tree = Tree.EMPTY;
        if (keys != 0) {
            int level = in.count();
            tree = new Tree(in.address(number), level, keys, in.sum());
        }
        CommitMeta meta = meta(in);
        List<KeyOperation> operations = null;
        List<Integer> operationItems = new ArrayList<>();
        switch (in.u8()) {
            case IN_HEADER -> operations = decodeOperations(in);
            case IN_ITEMS -> {
                int items = in.count();
                for (int i = 0; i < items; i++) {
                    operationItems.add(in.count());
                }
            }
            default -> throw new CorruptObjectException("A header has an unknown form of operations");
        }
        in.requireEnd();
        Commit commit = new Commit(
                number, id, parents, seq, jump, jumpSeq, jumpFloor, generation, lastMerge, tree, createdAtMicros, meta);
        return new Item.Header(commit, operations, List.copyOf(operationItems));
    }

    static byte[] encodeOperations(List<KeyOperation> operations) {
        ByteWriter out = new ByteWriter().number(operations.size());
        byte[] reference = {};
        for (KeyOperation operation : operations) {
            out.u8(operation.kind() == KeyOperation.Kind.PUT ? PUT : DELETE).key(operation.key(), reference);
            reference = operation.key().bytes();
        }
        return out.toBytes();
    }

    static List<KeyOperation> decodeOperations(ByteReader in) {
        int count = in.count();
        List<KeyOperation> operations = new ArrayList<>();
        byte[] reference = {};
        for (int i = 0; i < count; i++) {
            KeyOperation.Kind kind =
                    switch (in.u8()) {
                        case PUT -> KeyOperation.Kind.PUT;
                        case DELETE -> KeyOperation.Kind.DELETE;
                        default -> throw new CorruptObjectException("An operation has an unknown kind");
                    };
            IndexKey key = in.key(reference);
            operations.add(new KeyOperation(kind, key));
            reference = key.bytes();
        }
        return List.copyOf(operations);
    }

    /** Properties lie behind a count of their own, so their names cannot be taken for those of other fields. */
    static void meta(ByteWriter out, CommitMeta meta) {
        out.string(meta.message()).string(meta.committer());
        ContentCodec.strings(out, meta.authors());
        out.signed(meta.authorTime().getEpochSecond()).number(meta.authorTime().getNano());
        ContentCodec.strings(out, meta.signedOffBy());
        out.number(meta.properties().size());
        meta.properties().forEach((name, values) -> {
            out.string(name);
            ContentCodec.strings(out, values);
        });
    }

    static CommitMeta meta(ByteReader in) {
        String message = in.string();
        String committer = in.string();
        List<String> authors = ContentCodec.strings(in);
        Instant authorTime;
        try {
            authorTime = Instant.ofEpochSecond(in.signed(), in.number());
        } catch (DateTimeException | ArithmeticException e) {
            throw new CorruptObjectException("A stored time is out of range");
        }
        List<String> signedOffBy = ContentCodec.strings(in);
        int count = in.count();
        Map<String, List<String>> properties = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            properties.put(in.string(), ContentCodec.strings(in));
        }
        return new CommitMeta(message, committer, authors, authorTime, signedOffBy, properties);
    }
}
