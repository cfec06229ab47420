package org.anabranch.cli.gc.laws;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.TableIdentifier;

/** Where tables lie: in folders of their own, in shared ones, in each other, behind links, and spelled in every way. */
final class TableLocations {

    private final String warehouse;
    private final Random random;
    private final List<String> taken = new ArrayList<>();

    /** Lays links into the warehouse: to a folder that others know by its own name, and to one outside. */
    TableLocations(Path warehouse, Random random) {
        this.warehouse = warehouse.toString();
        this.random = random;
        try {
            Path outside = Files.createDirectories(warehouse.resolveSibling("outside"));
            Path shared = Files.createDirectories(warehouse.resolve("shared"));
            Files.createSymbolicLink(warehouse.resolve("shared-by-link"), shared);
            Files.createSymbolicLink(warehouse.resolve("outside-by-link"), outside);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A location for a new table. */
    String any(TableIdentifier table) {
        String own = "/" + table.name() + "_" + UUID.randomUUID();
        String location =
                switch (random.nextInt(14)) {
                    case 0, 1 -> "file:" + warehouse + "/shared/a";
                    case 2 -> "file:" + warehouse + "/shared/ab";
                    case 3 -> "file://" + warehouse + "//shared//a/";
                    case 4 -> warehouse + "/shared/b";
                    case 5 -> "file:" + warehouse + "/strange/100%25 t\u00e4+b%2Fc";
                    case 6 -> taken.isEmpty() ? "file:" + warehouse + own : taken.get(random.nextInt(taken.size()));
                    case 7, 8 ->
                        taken.isEmpty()
                                ? "file:" + warehouse + own
                                : taken.get(random.nextInt(taken.size())) + (random.nextBoolean() ? "/data" : "/inner");
                    // All tables with a folder of their own lie below it.
                    case 9 -> "file:" + warehouse + "/shop";
                    case 10 -> "file:" + warehouse + "/shared-by-link/" + (random.nextBoolean() ? "a" : "c");
                    case 11 -> warehouse + "/outside-by-link" + own;
                    default -> "file:" + warehouse + "/shop" + own;
                };
        taken.add(location);
        return location;
    }

    /** Sometimes sends a table's data or metadata away from its location. */
    void addPaths(Map<String, String> properties) {
        switch (random.nextInt(9)) {
            case 0 -> properties.put(TableProperties.WRITE_DATA_LOCATION, "file:" + warehouse + "/elsewhere/data");
            case 1 -> properties.put(TableProperties.WRITE_METADATA_LOCATION, warehouse + "/elsewhere/metadata");
            case 2 -> {
                if (!taken.isEmpty()) {
                    properties.put(
                            TableProperties.WRITE_DATA_LOCATION, taken.get(random.nextInt(taken.size())) + "/data");
                }
            }
            case 3 -> properties.put(TableProperties.OBJECT_STORE_ENABLED, "true");
            case 4 -> properties.put(TableProperties.WRITE_DATA_LOCATION, warehouse + "/shared-by-link/a/data");
            default -> {
                // Below its location, as nearly always.
            }
        }
    }
}
