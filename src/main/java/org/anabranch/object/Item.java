package org.anabranch.object;

import java.util.List;
import java.util.Map;
import org.anabranch.model.CommitMeta;
import org.jspecify.annotations.Nullable;

/** An item of a commit row, decoded. */
sealed interface Item {

    int HEADER = 0;
    int LEAF = 1;
    int INNER = 2;
    int LEAF_EDITS = 3;
    int INNER_EDITS = 4;
    int CONTENT = 5;
    int OPERATIONS = 6;

    /** Roughly what it takes in memory, in bytes. */
    int weight();

    /**
     * An index node.
     *
     * @param whole where the whole node lies that this one is stored as edits of; its own address if it is stored whole
     */
    record StoredNode(Node node, NodeAddress whole) implements Item {
        @Override
        public int weight() {
            int weight = 64;
            switch (node) {
                case Node.Leaf leaf -> {
                    for (IndexEntry entry : leaf.entries()) {
                        weight += 192 + entry.key().bytes().length;
                        weight += entry.content() instanceof StoredContent.Inline inline ? inline.encoded().length : 96;
                    }
                }
                case Node.Inner inner -> {
                    for (Node.Child child : inner.children()) {
                        weight += 160 + child.boundary().bytes().length;
                    }
                }
            }
            return weight;
        }
    }

    /** A content of its own, encoded. */
    record StoredBytes(byte[] encoded) implements Item {
        @Override
        public int weight() {
            return 48 + encoded.length;
        }
    }

    /**
     * A commit's header.
     *
     * @param operations if they lie in the header; else null
     * @param operationItems the ordinals of the items with the operations if they do not lie in the header; else empty
     */
    record Header(Commit commit, @Nullable List<KeyOperation> operations, List<Integer> operationItems)
            implements Item {
        @Override
        public int weight() {
            int weight = 512;
            CommitMeta meta = commit.meta();
            if (meta != null) {
                weight += weight(meta.message()) + weight(meta.committer());
                weight += weight(meta.authors()) + weight(meta.signedOffBy());
                for (Map.Entry<String, List<String>> property :
                        meta.properties().entrySet()) {
                    weight += 64 + weight(property.getKey()) + weight(property.getValue());
                }
            }
            return weight + (operations == null ? 0 : Item.operationsWeight(operations));
        }

        private static int weight(String text) {
            return 48 + 2 * text.length();
        }

        private static int weight(List<String> texts) {
            return texts.stream().mapToInt(Header::weight).sum();
        }
    }

    /** A part of a commit's operations. */
    record Operations(List<KeyOperation> operations) implements Item {
        @Override
        public int weight() {
            return 48 + operationsWeight(operations);
        }
    }

    private static int operationsWeight(List<KeyOperation> operations) {
        return operations.stream()
                .mapToInt(operation -> 96 + operation.key().bytes().length)
                .sum();
    }
}
