package org.anabranch.rest;

/** Gives ids that no request had before. Safe from many threads. */
@FunctionalInterface
public interface RequestIdSource {

    String next();
}
