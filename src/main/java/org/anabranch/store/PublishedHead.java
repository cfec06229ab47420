package org.anabranch.store;

/** A head that a reference had, and when it was published, in microseconds since the epoch. */
public record PublishedHead(Head head, long publishedAtMicros) {}
