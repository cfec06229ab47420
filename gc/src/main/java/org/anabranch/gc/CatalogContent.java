package org.anabranch.gc;

import java.util.List;

/** What a key of the catalog points at, as far as files are concerned. */
public sealed interface CatalogContent {

    /** An Iceberg table or view, whose files are collected. */
    record Iceberg(ContentPointer pointer) implements CatalogContent {}

    /**
     * Something else: its files are nobody's to delete.
     *
     * @param type wire name of the type
     * @param locations every location that its value names; empty for a namespace
     */
    record Foreign(String type, List<String> locations) implements CatalogContent {

        public Foreign {
            locations = List.copyOf(locations);
        }
    }
}
