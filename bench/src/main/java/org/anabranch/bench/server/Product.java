package org.anabranch.bench.server;

import java.util.ArrayList;
import java.util.List;
import org.anabranch.bench.store.Storage;

/** The servers that are measured, and how each is told where to listen and to keep its data. */
public enum Product {
    ANABRANCH("anabranch") {
        @Override
        List<String> properties(Storage storage) {
            return switch (storage) {
                case Storage.InMemory memory -> List.of("-Danabranch.store.type=memory");
                case Storage.Folder folder ->
                    List.of("-Danabranch.store.type=embedded", "-Danabranch.store.path=" + folder.path());
                case Storage.Database database ->
                    List.of(
                            "-Danabranch.store.type=postgresql",
                            "-Danabranch.store.postgresql.url=" + database.url(),
                            "-Danabranch.store.postgresql.user=" + database.user(),
                            "-Danabranch.store.postgresql.password=" + database.password());
            };
        }
    },

    /** Our own with rules of authorization in force, which allow the load. */
    RULED("ruled") {
        @Override
        List<String> properties(Storage storage) {
            return ANABRANCH.properties(storage);
        }
    },

    /** Its access log is on by default and switched off here; everything else is as it comes. */
    NESSIE("nessie") {
        @Override
        List<String> properties(Storage storage) {
            List<String> properties = new ArrayList<>(List.of("-Dquarkus.http.access-log.enabled=false"));
            properties.addAll(
                    switch (storage) {
                        case Storage.InMemory memory -> List.of("-Dnessie.version.store.type=IN_MEMORY");
                        case Storage.Folder folder ->
                            List.of(
                                    "-Dnessie.version.store.type=ROCKSDB",
                                    "-Dnessie.version.store.persist.rocks.database-path=" + folder.path());
                        case Storage.Database database ->
                            List.of(
                                    "-Dnessie.version.store.type=JDBC2",
                                    "-Dnessie.version.store.persist.jdbc.datasource=postgresql",
                                    "-Dquarkus.datasource.postgresql.jdbc.url=" + database.url(),
                                    "-Dquarkus.datasource.postgresql.username=" + database.user(),
                                    "-Dquarkus.datasource.postgresql.password=" + database.password());
                    });
            return properties;
        }
    },

    /** An endpoint on our HTTP stack that does nothing. */
    EMPTY("empty") {
        @Override
        List<String> properties(Storage storage) {
            return List.of();
        }
    };

    private final String word;

    Product(String word) {
        this.word = word;
    }

    /** Whether it is this project's service. */
    public boolean isOurs() {
        return this == ANABRANCH || this == RULED;
    }

    /** System properties that make the product use a storage. */
    abstract List<String> properties(Storage storage);

    @Override
    public String toString() {
        return word;
    }
}
