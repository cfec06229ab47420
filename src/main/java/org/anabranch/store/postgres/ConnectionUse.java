package org.anabranch.store.postgres;

/**
 * What the connections of a {@link PostgresStore} do now, and have done since it was opened.
 *
 * @param active at work
 * @param idle open, and at nobody's work
 * @param most that may be open at once
 * @param awaiting calls that wait for one
 * @param opened so far
 * @param closed so far, broken ones included
 */
public record ConnectionUse(long active, long idle, long most, long awaiting, long opened, long closed) {}
