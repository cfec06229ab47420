package org.anabranch.bench.workload;

import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * What the measured catalogs hold: n Iceberg tables, evenly in namespaces of two elements, under names and metadata
 * locations as Iceberg makes them.
 */
public record Catalog(int tables) {

    private static final int TABLES_PER_NAMESPACE = 1_000;
    private static final int FEWEST_NAMESPACES = 10;

    int namespaces() {
        return Math.max(FEWEST_NAMESPACES, tables / TABLES_PER_NAMESPACE);
    }

    /** The entries that a whole listing has: tables, their namespaces, and the namespace of those. */
    int entries() {
        return tables + namespaces() + 1;
    }

    String namespace(int number) {
        return "ns%03d".formatted(number);
    }

    private String tableName(int table) {
        return "table_%07d".formatted(table);
    }

    /** A table's key as paths and filters have it. */
    String dotted(int table) {
        return "lake." + namespace(table % namespaces()) + "." + tableName(table);
    }

    /** A table's key as JSON. */
    String key(int table) {
        return "{\"elements\":[\"lake\",\"" + namespace(table % namespaces()) + "\",\"" + tableName(table) + "\"]}";
    }

    /** The table that a key in a listing names; empty for namespaces. */
    static Optional<Integer> tableNamed(String lastElement) {
        return lastElement.startsWith("table_")
                ? Optional.of(Integer.parseInt(lastElement.substring("table_".length())))
                : Optional.empty();
    }

    /** The operation that puts a table with new metadata; without a content id it creates the table. */
    String put(int table, Optional<String> contentId, SplittableRandom random) {
        String id = contentId.map(given -> "\"id\":\"" + given + "\",").orElse("");
        return "{\"type\":\"PUT\",\"key\":" + key(table) + ",\"content\":{\"type\":\"ICEBERG_TABLE\"," + id
                + "\"metadataLocation\":\"s3://warehouse/lake/" + namespace(table % namespaces()) + "/"
                + tableName(table) + "_" + uuid(random) + "/metadata/"
                + "%05d".formatted(random.nextInt(100_000)) + "-" + uuid(random) + ".metadata.json\",\"snapshotId\":"
                + random.nextLong(Long.MAX_VALUE) + ",\"schemaId\":0,\"specId\":0,\"sortOrderId\":0}}";
    }

    static String putNamespace(String elements) {
        return "{\"type\":\"PUT\",\"key\":{\"elements\":[" + elements
                + "]},\"content\":{\"type\":\"NAMESPACE\",\"elements\":[" + elements + "]}}";
    }

    private static UUID uuid(SplittableRandom random) {
        return new UUID(random.nextLong(), random.nextLong());
    }
}
