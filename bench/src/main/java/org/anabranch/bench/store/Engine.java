package org.anabranch.bench.store;

/** The kinds of stores; each product has its own way to keep data in one. */
public enum Engine {
    MEMORY("memory"),
    EMBEDDED("embedded"),
    POSTGRESQL("postgresql");

    private final String word;

    Engine(String word) {
        this.word = word;
    }

    @Override
    public String toString() {
        return word;
    }
}
