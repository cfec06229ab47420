package org.anabranch.bench.store;

import java.nio.file.Path;

/** Where one server keeps its data. */
public sealed interface Storage {

    /** In the memory of the server. */
    record InMemory() implements Storage {}

    /** In a folder; it may not exist yet. */
    record Folder(Path path) implements Storage {}

    /**
     * In a database of PostgreSQL.
     *
     * @param url of JDBC, without user and password
     */
    record Database(String name, String url, String user, String password) implements Storage {}
}
