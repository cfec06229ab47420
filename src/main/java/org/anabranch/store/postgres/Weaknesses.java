package org.anabranch.store.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Settings by which a server acknowledges what it may lose. */
final class Weaknesses {

    private static final String SETTINGS = "SELECT name FROM pg_settings WHERE setting = 'off'"
            + " AND name IN ('fsync', 'full_page_writes', 'synchronous_commit') ORDER BY name";

    private Weaknesses() {}

    static List<String> of(Connection connection) throws SQLException {
        List<String> sentences = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(SETTINGS);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                String name = rows.getString(1);
                sentences.add("PostgreSQL runs with " + name + " = off: " + consequence(name) + ". Set it to on.");
            }
        }
        return sentences;
    }

    private static String consequence(String setting) {
        return switch (setting) {
            case "synchronous_commit" -> "acknowledged commits of the last moments are lost when its server crashes";
            default -> "a crash of its machine may damage the database beyond repair";
        };
    }
}
