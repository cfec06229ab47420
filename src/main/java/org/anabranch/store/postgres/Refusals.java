package org.anabranch.store.postgres;

import java.sql.SQLException;
import org.anabranch.store.StoreUnavailableException;

/** What the database says no to, in words that say what to do. */
final class Refusals {

    private Refusals() {}

    static StoreUnavailableException working(SQLException failure) {
        return new StoreUnavailableException(
                "PostgreSQL refuses to work: " + failure.getMessage() + " (SQLSTATE " + failure.getSQLState() + ")",
                failure);
    }

    static UnusableDatabaseException opening(PostgresSettings settings, SQLException failure) {
        String place = settings.place();
        String user = settings.user().map(name -> "the user '" + name + "'").orElse("the user");
        String sentence =
                switch (String.valueOf(failure.getSQLState())) {
                    case "3D000" ->
                        "The database of " + place
                                + " does not exist: create it (CREATE DATABASE), or name another one with"
                                + " anabranch.store.postgresql.url (--url)";
                    case "28P01", "28000", "08004" ->
                        "PostgreSQL at " + place + " does not let " + user + " in (" + firstSentence(failure)
                                + "): check anabranch.store.postgresql.user (--user) and anabranch.store.postgresql.password"
                                + " (--password, --password-file)";
                    case "42501" ->
                        user.substring(0, 1).toUpperCase() + user.substring(1) + " may not use the database of " + place
                                + " ("
                                + firstSentence(failure) + "): grant it, or name another user with"
                                + " anabranch.store.postgresql.user (--user)";
                    case "3F000" ->
                        "There is no schema to create tables in at " + place + ": create the one that currentSchema in"
                                + " anabranch.store.postgresql.url (--url), or the search_path of " + user + ", names";
                    case "42P07" ->
                        "The database of " + place + " holds tables of another program (" + firstSentence(failure)
                                + "): name another one with anabranch.store.postgresql.url (--url), or another schema of it with"
                                + " currentSchema there";
                    case "53300" ->
                        "PostgreSQL at " + place + " has no free connection (" + firstSentence(failure)
                                + "): raise its max_connections, or lower anabranch.store.postgresql.connections of its clients";
                    case "57P03" ->
                        "PostgreSQL at " + place + " is not ready (" + firstSentence(failure) + "): start again later";
                    case "25006" ->
                        "The database of " + place + " is read-only: name its primary in anabranch.store.postgresql.url"
                                + " (--url), for several hosts with targetServerType=primary";
                    default ->
                        "PostgreSQL at " + place + " cannot be used (" + firstSentence(failure)
                                + "): check that it runs there, and anabranch.store.postgresql.url (--url)";
                };
        return new UnusableDatabaseException(sentence, failure);
    }

    private static String firstSentence(SQLException failure) {
        return String.valueOf(failure.getMessage())
                .lines()
                .findFirst()
                .orElse("")
                .replaceFirst("\\.( .*)?$", "");
    }
}
