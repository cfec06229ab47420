package org.anabranch.object;

import java.nio.ByteBuffer;

/**
 * 16 bytes of a SHA-256 that stand for a set of keys and values, without {@code seq}: equal sums mean the same keys with the
 * same values, cut into the same nodes. Where nodes and contents lie never counts. See docs/formats.md, section 7.
 */
public record Sum(long high, long low) {

    /** The sum of a node, from its entries or from its children's sums. */
    public static Sum of(Node node) {
        ByteWriter out = new ByteWriter().number(node.level());
        switch (node) {
            case Node.Leaf leaf -> {
                for (IndexEntry entry : leaf.entries()) {
                    out.sized(entry.key().bytes())
                            .u8(entry.type().code())
                            .uuid(entry.contentId().value());
                    switch (entry.content()) {
                        case StoredContent.Inline inline -> out.sized(inline.encoded());
                        case StoredContent.Large large ->
                            out.number(large.encodedBytes()).raw(large.digest().bytes());
                    }
                }
            }
            case Node.Inner inner -> inner.children().forEach(child -> out.sum(child.sum()));
        }
        ByteBuffer digest = ByteBuffer.wrap(ContentDigest.sha256().digest(out.toBytes()));
        return new Sum(digest.getLong(), digest.getLong());
    }
}
