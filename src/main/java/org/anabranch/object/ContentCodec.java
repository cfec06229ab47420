package org.anabranch.object;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentType;
import org.anabranch.model.DeltaLakeTable;
import org.anabranch.model.IcebergTable;
import org.anabranch.model.IcebergView;
import org.anabranch.model.Namespace;
import org.anabranch.model.Udf;
import org.jspecify.annotations.Nullable;

/**
 * The encoded form of a content, without its type and id, which stand in the entry. Also the form that a commit's hash
 * covers, so it never changes: a field to come is a new form.
 */
final class ContentCodec {

    private static final int FORM = 1;

    private ContentCodec() {}

    static byte[] encode(Content content) {
        ByteWriter out = new ByteWriter().u8(FORM);
        switch (content) {
            case IcebergTable table ->
                out.string(table.metadataLocation())
                        .signed(table.snapshotId())
                        .signed(table.schemaId())
                        .signed(table.specId())
                        .signed(table.sortOrderId());
            case IcebergView view -> {
                out.string(view.metadataLocation()).signed(view.versionId()).signed(view.schemaId());
                optional(out, view.sqlText());
                optional(out, view.dialect());
            }
            case DeltaLakeTable table -> {
                strings(out, table.metadataLocationHistory());
                strings(out, table.checkpointLocationHistory());
                optional(out, table.lastCheckpoint());
            }
            case Namespace namespace -> {
                strings(out, namespace.elements());
                out.number(namespace.properties().size());
                namespace.properties().forEach((name, value) -> out.string(name).string(value));
            }
            case Udf udf -> {
                optional(out, udf.metadataLocation());
                optional(out, udf.versionId());
                optional(out, udf.signatureId());
                optional(out, udf.sqlText());
                optional(out, udf.dialect());
            }
        }
        return out.toBytes();
    }

    static Content decode(ContentType type, ContentId id, byte[] encoded) {
        ByteReader in = new ByteReader(encoded);
        if (in.u8() != FORM) {
            throw new CorruptObjectException("A content has an unknown form");
        }
        Content content =
                switch (type) {
                    case ICEBERG_TABLE ->
                        new IcebergTable(
                                id, in.string(), in.signed(), (int) in.signed(), (int) in.signed(), (int) in.signed());
                    case ICEBERG_VIEW ->
                        new IcebergView(id, in.string(), in.signed(), (int) in.signed(), optional(in), optional(in));
                    case DELTA_LAKE_TABLE -> new DeltaLakeTable(id, strings(in), strings(in), optional(in));
                    case NAMESPACE -> {
                        List<String> elements = strings(in);
                        int count = in.count();
                        Map<String, String> properties = new LinkedHashMap<>();
                        for (int i = 0; i < count; i++) {
                            properties.put(in.string(), in.string());
                        }
                        yield new Namespace(id, elements, properties);
                    }
                    case UDF -> new Udf(id, optional(in), optional(in), optional(in), optional(in), optional(in));
                };
        in.requireEnd();
        return content;
    }

    static void strings(ByteWriter out, List<String> strings) {
        out.number(strings.size());
        strings.forEach(out::string);
    }

    static List<String> strings(ByteReader in) {
        int count = in.count();
        List<String> strings = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            strings.add(in.string());
        }
        return strings;
    }

    private static void optional(ByteWriter out, @Nullable String text) {
        if (text == null) {
            out.u8(0);
        } else {
            out.u8(1).string(text);
        }
    }

    private static @Nullable String optional(ByteReader in) {
        return switch (in.u8()) {
            case 0 -> null;
            case 1 -> in.string();
            default -> throw new CorruptObjectException("A stored field is neither there nor absent");
        };
    }
}
