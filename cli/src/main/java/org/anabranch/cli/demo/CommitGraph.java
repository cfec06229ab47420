package org.anabranch.cli.demo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Commits drawn as text, youngest first, in the manner of {@code git log --graph}. */
final class CommitGraph {

    /**
     * One commit.
     *
     * @param parents hashes, first that of the commit whose line it extends
     */
    record Node(String hash, List<String> parents, String text) {}

    private CommitGraph() {}

    /**
     * Draws a graph: a line per commit, and a line of its own wherever two lines fork or join.
     *
     * @param nodes children before parents; a parent that is not among them ends its line
     */
    static List<String> draw(List<Node> nodes) {
        Set<String> known = nodes.stream().map(Node::hash).collect(Collectors.toSet());
        List<String> drawing = new ArrayList<>();
        // The hash that each column waits for, from left to right.
        List<String> columns = new ArrayList<>();
        for (Node node : nodes) {
            if (!columns.contains(node.hash())) {
                columns.add(node.hash());
            }
            int column = columns.indexOf(node.hash());
            for (int last = columns.lastIndexOf(node.hash()); last > column; last = columns.lastIndexOf(node.hash())) {
                drawing.add(join(columns.size(), column, last));
                columns.remove(last);
            }
            drawing.add(commit(columns.size(), column) + "  " + node.text());

            List<String> parents =
                    node.parents().stream().filter(known::contains).toList();
            if (parents.isEmpty()) {
                columns.remove(column);
                continue;
            }
            columns.set(column, parents.getFirst());
            for (String parent : parents.subList(1, parents.size())) {
                columns.add(column + 1, parent);
                drawing.add(fork(columns.size(), column));
            }
        }
        return List.copyOf(drawing);
    }

    private static String commit(int columns, int at) {
        char[] line = lines(columns, columns);
        line[2 * at] = '*';
        return new String(line).stripTrailing();
    }

    /** A new column appears to the right of one, and all behind it move right. */
    private static String fork(int columns, int at) {
        char[] line = lines(columns, at + 1);
        for (int column = at + 1; column < columns; column++) {
            line[2 * column - 1] = '\\';
        }
        return new String(line).stripTrailing();
    }

    /** A column ends in one to its left, and all behind it move left. */
    private static String join(int columns, int into, int ending) {
        char[] line = lines(columns, ending);
        for (int column = into; column < ending - 1; column++) {
            line[2 * column + 1] = '_';
        }
        for (int column = ending; column < columns; column++) {
            line[2 * column - 1] = '/';
        }
        return new String(line).stripTrailing();
    }

    private static char[] lines(int columns, int straight) {
        char[] line = new char[2 * columns];
        Arrays.fill(line, ' ');
        for (int column = 0; column < straight; column++) {
            line[2 * column] = '|';
        }
        return line;
    }
}
