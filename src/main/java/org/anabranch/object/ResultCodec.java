package org.anabranch.object;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.anabranch.model.AppliedResult;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitOutcome.Committed;
import org.anabranch.model.Conflict;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.MergeMode;
import org.anabranch.model.MergeOutcome.KeyResult;
import org.anabranch.model.MergeOutcome.Merged;
import org.anabranch.model.MergeOutcome.Report;
import org.anabranch.model.Reference;
import org.anabranch.model.ReferenceChanged;
import org.anabranch.model.ReferenceKind;
import org.jspecify.annotations.Nullable;

/** The form in which a receipt keeps the answer of a request, see docs/formats.md, section "What changes". */
public final class ResultCodec {

    private static final int FORM = 1;

    private static final int COMMITTED = 1;
    private static final int MERGED = 2;
    private static final int REFERENCE_CHANGED = 3;

    // Written as their place in these lists, which therefore only ever grow at their end.
    private static final List<MergeMode> MODES = List.of(MergeMode.NORMAL, MergeMode.FORCE, MergeMode.DROP);
    private static final List<ReferenceKind> REFERENCE_KINDS = List.of(ReferenceKind.BRANCH, ReferenceKind.TAG);
    private static final List<ReferenceChanged.Kind> CHANGES =
            List.of(ReferenceChanged.Kind.CREATED, ReferenceChanged.Kind.ASSIGNED, ReferenceChanged.Kind.DELETED);

    private static final byte[] NOTHING = {};

    private ResultCodec() {}

    /** Takes about 30 bytes for each key that the result names. */
    public static byte[] encode(AppliedResult result) {
        ByteWriter out = new ByteWriter().u8(FORM);
        switch (result) {
            case Committed(var branch, var head, var newIds) -> {
                out.u8(COMMITTED).string(branch).raw(head.toBytes()).number(newIds.size());
                byte[] before = NOTHING;
                for (var entry : newIds.entrySet()) {
                    before = key(out, entry.getKey(), before);
                    out.uuid(entry.getValue().value());
                }
            }
            case Merged(var report, var head) -> {
                out.u8(MERGED)
                        .string(report.targetBranch())
                        .raw(report.evaluatedHead().toBytes())
                        .raw(report.expected().toBytes());
                CommitId ancestor = report.commonAncestor();
                out.u8(ancestor == null ? 0 : 1).raw(ancestor == null ? NOTHING : ancestor.toBytes());
                out.raw(head.toBytes()).number(report.keys().size());
                byte[] before = NOTHING;
                for (KeyResult key : report.keys()) {
                    requireNone(key.conflict());
                    before = key(out, key.key(), before);
                    out.u8(MODES.indexOf(key.mode()));
                }
            }
            case ReferenceChanged(var kind, var reference, var incarnation) ->
                out.u8(REFERENCE_CHANGED)
                        .u8(CHANGES.indexOf(kind))
                        .u8(REFERENCE_KINDS.indexOf(reference.kind()))
                        .string(reference.name())
                        .raw(reference.hash().toBytes())
                        .number(incarnation);
        }
        return out.toBytes();
    }

    /** @throws CorruptObjectException if {@link #encode} never wrote these bytes */
    public static AppliedResult decode(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        if (in.u8() != FORM) {
            throw new CorruptObjectException("A kept answer has a form that is not known");
        }
        AppliedResult result =
                switch (in.u8()) {
                    case COMMITTED -> committed(in);
                    case MERGED -> merged(in);
                    case REFERENCE_CHANGED -> referenceChanged(in);
                    default -> throw new CorruptObjectException("A kept answer is of a kind that is not known");
                };
        in.requireEnd();
        return result;
    }

    private static Committed committed(ByteReader in) {
        String branch = in.string();
        CommitId head = commitId(in);
        SortedMap<ContentKey, ContentId> newIds = new TreeMap<>();
        byte[] before = NOTHING;
        for (int left = in.count(); left > 0; left--) {
            IndexKey key = in.key(before);
            before = key.bytes();
            newIds.put(key.toContentKey(), new ContentId(in.uuid()));
        }
        return new Committed(branch, head, newIds);
    }

    private static Merged merged(ByteReader in) {
        String branch = in.string();
        CommitId evaluatedHead = commitId(in);
        CommitId expected = commitId(in);
        CommitId ancestor = in.u8() == 0 ? null : commitId(in);
        CommitId head = commitId(in);
        List<KeyResult> keys = new ArrayList<>();
        byte[] before = NOTHING;
        for (int left = in.count(); left > 0; left--) {
            IndexKey key = in.key(before);
            before = key.bytes();
            keys.add(new KeyResult(key.toContentKey(), one(MODES, in), null));
        }
        return new Merged(new Report(branch, evaluatedHead, expected, ancestor, keys), head);
    }

    private static ReferenceChanged referenceChanged(ByteReader in) {
        ReferenceChanged.Kind kind = one(CHANGES, in);
        ReferenceKind referenceKind = one(REFERENCE_KINDS, in);
        return new ReferenceChanged(kind, new Reference.Named(referenceKind, in.string(), commitId(in)), in.number());
    }

    private static byte[] key(ByteWriter out, ContentKey key, byte[] before) {
        IndexKey indexKey = IndexKey.of(key);
        out.key(indexKey, before);
        return indexKey.bytes();
    }

    private static CommitId commitId(ByteReader in) {
        return CommitId.of(in.raw(CommitId.BYTES));
    }

    private static <T> T one(List<T> values, ByteReader in) {
        int place = in.u8();
        if (place >= values.size()) {
            throw new CorruptObjectException("A kept answer names what is not known");
        }
        return values.get(place);
    }

    private static void requireNone(@Nullable Conflict conflict) {
        if (conflict != null) {
            throw new IllegalArgumentException("What was merged is not in conflict");
        }
    }
}
