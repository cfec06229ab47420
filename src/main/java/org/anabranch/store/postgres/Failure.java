package org.anabranch.store.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/** What is known after a statement failed. */
enum Failure {
    /** The database undid the statement because of others at work. It may be sent again at once. */
    COLLISION,
    /** The database refused the statement, and nothing of it happened. */
    REFUSED,
    /** The session ended, and with it the news of whether the statement was done. */
    LOST;

    /**
     * A serialization failure, a deadlock; and what the next attempt sees: a receipt that another writer kept first, and by a
     * division by zero a mark that a sweep took first, see {@link WriteStatement}.
     */
    private static final Set<String> COLLISIONS = Set.of("40001", "40P01", "23505", "22012");

    /** How distributed databases say that they don't know. */
    private static final String COMPLETION_UNKNOWN = "40003";

    private static final int SECONDS_TO_ANSWER = 2;

    /**
     * Judges by the session rather than by the code of the failure: a session that still answers has undone what failed, whereas
     * the same code (no space, for example) may come with the end of the session or of the whole server.
     */
    static Failure of(SQLException failure, Connection session) {
        if (COMPLETION_UNKNOWN.equals(failure.getSQLState()) || !answers(session)) {
            return LOST;
        }
        return COLLISIONS.contains(String.valueOf(failure.getSQLState())) ? COLLISION : REFUSED;
    }

    private static boolean answers(Connection session) {
        try {
            return session.isValid(SECONDS_TO_ANSWER);
        } catch (SQLException e) {
            return false;
        }
    }
}
