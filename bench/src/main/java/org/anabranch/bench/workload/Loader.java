package org.anabranch.bench.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Fills an empty server with a catalog, in commits of a thousand tables and in random order of keys. */
public final class Loader {

    private static final int TABLES_PER_COMMIT = 1_000;
    private static final long SEED = 1;

    private Loader() {}

    /** Seconds that the commits of tables took; namespaces are created before. */
    public static double load(Target target) throws IOException {
        Catalog catalog = target.catalog();
        List<Integer> order = new ArrayList<>();
        for (int table = 0; table < catalog.tables(); table++) {
            order.add(table);
        }
        Collections.shuffle(order, new Random(SEED));
        try (Session session = new Session(target, SEED)) {
            List<String> operations = new ArrayList<>();
            operations.add(Catalog.putNamespace("\"lake\""));
            for (int number = 0; number < catalog.namespaces(); number++) {
                operations.add(Catalog.putNamespace("\"lake\",\"" + catalog.namespace(number) + "\""));
            }
            String head = session.create(session.head("main"), operations);
            long began = System.nanoTime();
            for (int from = 0; from < order.size(); from += TABLES_PER_COMMIT) {
                operations.clear();
                for (int table : order.subList(from, Math.min(order.size(), from + TABLES_PER_COMMIT))) {
                    operations.add(session.putNew(table));
                }
                head = session.create(head, operations);
            }
            return (System.nanoTime() - began) / 1e9;
        }
    }

    /** As {@link #load}, for a server whose loading is not measured. */
    public static void loadUntimed(Target target) {
        try {
            load(target);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Commits random tables one by one, so that the catalog has a history. */
    public static void update(Target target, int commits) throws IOException {
        try (Session session = new Session(target, SEED + 1)) {
            String head = session.head("main");
            for (int i = 0; i < commits; i++) {
                int table = session.randomTable();
                head = session.commitBeside("main", head, 1, operation -> table);
            }
        }
    }
}
