package org.anabranch.bench.report;

/**
 * One number that is measured once and not in rounds.
 *
 * @param name one of the constants here, which also say the unit
 */
public record Figure(String engine, int tables, String name, String contestant, double value) {

    public static final String LOAD_SECONDS = "bulk load, s";
    public static final String LOAD_MEGABYTES = "stored after the bulk load, MB";
    public static final String COMMIT_KILOBYTES = "stored per single-table commit, kB";
    public static final String IDLE_MEGABYTES = "resident memory idle, MB";
    public static final String LOADED_MEGABYTES = "resident memory after the load, MB";
    public static final String SMALL_HEAP_LISTINGS = "whole listings in a heap of 256 MB, of 5";
}
