package org.anabranch.object;

import java.util.ArrayList;
import java.util.List;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentType;
import org.jspecify.annotations.Nullable;

/**
 * The encoded form of index nodes, whole or as edits of a whole node. See docs/formats.md, section 5.
 *
 * <p>Edits are hunks in key order, each: how many items of the whole node are kept, how many are dropped behind those, and
 * the items that stand in their place. Addresses are written relative to the row's own number.
 */
final class NodeCodec {

    /** The lengths of a key's parts, type, content id, seq, and the size of a content. */
    private static final int LEAST_ENTRY_BYTES = 2 + 1 + 16 + 1 + 1;

    /** The lengths of a key's parts, address, count and sum. */
    private static final int LEAST_CHILD_BYTES = 2 + 2 + 1 + 16;

    private NodeCodec() {}

    static byte[] encodeWhole(Node node, long ownNumber) {
        ByteWriter out = new ByteWriter();
        byte[] reference = {};
        switch (node) {
            case Node.Leaf leaf -> {
                out.u8(Item.LEAF).number(leaf.entries().size());
                for (IndexEntry entry : leaf.entries()) {
                    entry(out, entry, reference, ownNumber);
                    reference = entry.key().bytes();
                }
            }
            case Node.Inner inner -> {
                out.u8(Item.INNER).number(inner.level()).number(inner.children().size());
                for (Node.Child child : inner.children()) {
                    child(out, child, reference, ownNumber);
                    reference = child.boundary().bytes();
                }
            }
        }
        return out.toBytes();
    }

    /** A lower bound of the size of {@link #encodeWhole}: what the items take without the bytes of their keys. */
    static int leastBytes(Node node) {
        return switch (node) {
            case Node.Leaf leaf -> {
                int bytes = 0;
                for (IndexEntry entry : leaf.entries()) {
                    bytes += LEAST_ENTRY_BYTES
                            + (entry.content() instanceof StoredContent.Inline inline ? inline.encoded().length : 0);
                }
                yield bytes;
            }
            case Node.Inner inner -> LEAST_CHILD_BYTES * inner.children().size();
        };
    }

    /** A node as edits of a whole node of the same level. */
    static byte[] encodeEdits(Node node, Node whole, NodeAddress wholeAddress, long ownNumber) {
        ByteWriter out = new ByteWriter();
        switch (node) {
            case Node.Leaf leaf -> {
                out.u8(Item.LEAF_EDITS).address(wholeAddress, ownNumber);
                hunks(out, leaf.entries(), ((Node.Leaf) whole).entries(), new EntryForm(), ownNumber);
            }
            case Node.Inner inner -> {
                out.u8(Item.INNER_EDITS).number(inner.level()).address(wholeAddress, ownNumber);
                hunks(out, inner.children(), ((Node.Inner) whole).children(), new ChildForm(), ownNumber);
            }
        }
        return out.toBytes();
    }

    /** Where the whole node lies that an item is edits of; null if the item is a whole node. */
    static @Nullable NodeAddress wholeAddress(ByteReader in, long ownNumber) {
        return switch (in.u8()) {
            case Item.LEAF, Item.INNER -> null;
            case Item.LEAF_EDITS -> in.address(ownNumber);
            case Item.INNER_EDITS -> {
                in.number();
                yield in.address(ownNumber);
            }
            default -> throw new CorruptObjectException("An item is not an index node");
        };
    }

    static Node decodeWhole(ByteReader in, long ownNumber) {
        Node node =
                switch (in.u8()) {
                    case Item.LEAF -> new Node.Leaf(items(in, new EntryForm(), ownNumber));
                    case Item.INNER -> new Node.Inner(in.count(), items(in, new ChildForm(), ownNumber));
                    default -> throw new CorruptObjectException("An item is not a whole index node");
                };
        in.requireEnd();
        return requireItems(node);
    }

    static Node decodeEdits(ByteReader in, Node whole, long ownNumber) {
        int kind = in.u8();
        Node node;
        if (kind == Item.LEAF_EDITS && whole instanceof Node.Leaf leaf) {
            in.address(ownNumber);
            node = new Node.Leaf(edited(in, leaf.entries(), new EntryForm(), ownNumber));
        } else if (kind == Item.INNER_EDITS && whole instanceof Node.Inner inner) {
            int level = in.count();
            in.address(ownNumber);
            if (level != inner.level()) {
                throw new CorruptObjectException("An index node is stored as edits of another level");
            }
            node = new Node.Inner(level, edited(in, inner.children(), new ChildForm(), ownNumber));
        } else {
            throw new CorruptObjectException("An index node is stored as edits of another kind");
        }
        in.requireEnd();
        return requireItems(node);
    }

    private static Node requireItems(Node node) {
        boolean isEmpty =
                switch (node) {
                    case Node.Leaf leaf -> leaf.entries().isEmpty();
                    case Node.Inner inner -> inner.children().isEmpty();
                };
        if (isEmpty) {
            throw new CorruptObjectException("An index node is empty");
        }
        return node;
    }

    /** What differs between the items of leaves and those of inner nodes. */
    private interface Form<T> {

        IndexKey key(T item);

        boolean same(T one, T other);

        void write(ByteWriter out, T item, byte[] reference, long ownNumber);

        T read(ByteReader in, byte[] reference, long ownNumber);
    }

    private static final class EntryForm implements Form<IndexEntry> {
        @Override
        public IndexKey key(IndexEntry item) {
            return item.key();
        }

        @Override
        public boolean same(IndexEntry one, IndexEntry other) {
            return one.seq() == other.seq()
                    && one.hasSameValueAs(other)
                    && (!(one.content() instanceof StoredContent.Large)
                            || one.content().equals(other.content()));
        }

        @Override
        public void write(ByteWriter out, IndexEntry item, byte[] reference, long ownNumber) {
            entry(out, item, reference, ownNumber);
        }

        @Override
        public IndexEntry read(ByteReader in, byte[] reference, long ownNumber) {
            IndexKey key = in.key(reference);
            ContentType type = contentType(in.u8());
            ContentId id = new ContentId(in.uuid());
            long seq = in.number();
            int encodedBytes = in.count();
            StoredContent content = encodedBytes <= StoredContent.MAX_INLINE_BYTES
                    ? new StoredContent.Inline(in.raw(encodedBytes))
                    : new StoredContent.Large(
                            in.address(ownNumber), encodedBytes, ContentDigest.ofBytes(in.raw(ContentDigest.BYTES)));
            return new IndexEntry(key, type, id, seq, content);
        }
    }

    private static final class ChildForm implements Form<Node.Child> {
        @Override
        public IndexKey key(Node.Child item) {
            return item.boundary();
        }

        @Override
        public boolean same(Node.Child one, Node.Child other) {
            return one.equals(other);
        }

        @Override
        public void write(ByteWriter out, Node.Child item, byte[] reference, long ownNumber) {
            child(out, item, reference, ownNumber);
        }

        @Override
        public Node.Child read(ByteReader in, byte[] reference, long ownNumber) {
            return new Node.Child(in.key(reference), in.address(ownNumber), in.number(), in.sum());
        }
    }

    private static void entry(ByteWriter out, IndexEntry entry, byte[] reference, long ownNumber) {
        out.key(entry.key(), reference)
                .u8(entry.type().code())
                .uuid(entry.contentId().value())
                .number(entry.seq());
        switch (entry.content()) {
            case StoredContent.Inline inline -> out.sized(inline.encoded());
            case StoredContent.Large large ->
                out.number(large.encodedBytes())
                        .address(large.address(), ownNumber)
                        .raw(large.digest().bytes());
        }
    }

    private static void child(ByteWriter out, Node.Child child, byte[] reference, long ownNumber) {
        out.key(child.boundary(), reference)
                .address(child.address(), ownNumber)
                .number(child.count())
                .sum(child.sum());
    }

    private static <T> List<T> items(ByteReader in, Form<T> form, long ownNumber) {
        int count = in.count();
        List<T> items = new ArrayList<>();
        byte[] reference = {};
        for (int i = 0; i < count; i++) {
            T item = form.read(in, reference, ownNumber);
            items.add(item);
            reference = form.key(item).bytes();
        }
        return items;
    }

    private static <T> void hunks(ByteWriter out, List<T> items, List<T> whole, Form<T> form, long ownNumber) {
        int i = 0;
        int w = 0;
        int kept = 0;
        while (i < items.size() || w < whole.size()) {
            if (i < items.size()
                    && w < whole.size()
                    && form.same(items.get(i), whole.get(w))
                    && form.key(items.get(i)).equals(form.key(whole.get(w)))) {
                kept++;
                i++;
                w++;
                continue;
            }
            int firstItem = i;
            int firstDropped = w;
            while (i < items.size() || w < whole.size()) {
                int order = i == items.size()
                        ? 1
                        : w == whole.size() ? -1 : form.key(items.get(i)).compareTo(form.key(whole.get(w)));
                if (order == 0 && form.same(items.get(i), whole.get(w))) {
                    break;
                }
                i += order <= 0 ? 1 : 0;
                w += order >= 0 ? 1 : 0;
            }
            out.number(kept).number(w - firstDropped).number(i - firstItem);
            kept = 0;
            for (int j = firstItem; j < i; j++) {
                int replaced = firstDropped + j - firstItem;
                byte[] reference = replaced < w
                        ? form.key(whole.get(replaced)).bytes()
                        : j > 0 ? form.key(items.get(j - 1)).bytes() : new byte[0];
                form.write(out, items.get(j), reference, ownNumber);
            }
        }
    }

    private static <T> List<T> edited(ByteReader in, List<T> whole, Form<T> form, long ownNumber) {
        List<T> items = new ArrayList<>(whole.size() + 4);
        int w = 0;
        while (in.hasMore()) {
            int kept = in.count();
            int dropped = in.count();
            int inserted = in.count();
            if (kept > whole.size() - w || dropped > whole.size() - w - kept) {
                throw new CorruptObjectException("Edits reach past the end of the whole node");
            }
            items.addAll(whole.subList(w, w + kept));
            w += kept;
            for (int j = 0; j < inserted; j++) {
                byte[] reference = j < dropped
                        ? form.key(whole.get(w + j)).bytes()
                        : items.isEmpty()
                                ? new byte[0]
                                : form.key(items.get(items.size() - 1)).bytes();
                items.add(form.read(in, reference, ownNumber));
            }
            w += dropped;
        }
        items.addAll(whole.subList(w, whole.size()));
        return items;
    }

    static ContentType contentType(int code) {
        try {
            return ContentType.ofCode(code);
        } catch (IllegalArgumentException e) {
            throw new CorruptObjectException("A content has an unknown type");
        }
    }
}
