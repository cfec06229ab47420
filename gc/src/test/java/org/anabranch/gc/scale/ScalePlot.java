package org.anabranch.gc.scale;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Draws what {@link ScaleRun} measured against the number of files, as an SVG with two charts. */
final class ScalePlot {

    private static final int WIDTH = 430;
    private static final int HEIGHT = 300;
    private static final int LEFT = 60;
    private static final int TOP = 40;
    private static final List<String> COLOURS = List.of("#1f77b4", "#d62728", "#2ca02c");

    private ScalePlot() {}

    /** A line of a chart. */
    private record Series(String name, String lake, ToDoubleFunction<String[]> value) {}

    /** @param rows in the columns of {@link ScaleRun#COLUMNS} */
    static String draw(List<String> rows) {
        List<String[]> cells = rows.stream().map(row -> row.split(",")).toList();
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + 2 * (WIDTH + 2 * LEFT) + "\" height=\""
                + (HEIGHT + 3 * TOP) + "\" font-family=\"sans-serif\" font-size=\"12\">\n"
                + "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
                + chart(
                        "Seconds for a whole run",
                        LEFT,
                        cells,
                        List.of(
                                new Series("names by formula", "generated", ScalePlot::seconds),
                                new Series("files on a disk", "disk", ScalePlot::seconds)))
                + chart(
                        "MB of memory at most, the heap limited to 512",
                        WIDTH + 3 * LEFT,
                        cells,
                        List.of(
                                new Series("heap", "generated", row -> Double.parseDouble(row[6])),
                                new Series("process", "generated", row -> Double.parseDouble(row[7])),
                                new Series("process, files on a disk", "disk", row -> Double.parseDouble(row[7]))))
                + "</svg>\n";
    }

    private static double seconds(String[] row) {
        return Double.parseDouble(row[3]) + Double.parseDouble(row[5]);
    }

    private static double files(String[] row) {
        return Double.parseDouble(row[1]) + Double.parseDouble(row[2]);
    }

    private static String chart(String title, int left, List<String[]> rows, List<Series> all) {
        double mostFiles = rows.stream().mapToDouble(ScalePlot::files).max().orElse(1);
        double most = all.stream()
                .flatMapToDouble(series ->
                        rows.stream().filter(row -> row[0].equals(series.lake)).mapToDouble(series.value))
                .max()
                .orElse(1);
        StringBuilder svg = new StringBuilder();
        text(svg, left, TOP - 15, "start", title);
        text(svg, left + WIDTH, TOP + HEIGHT + 35, "end", String.format(Locale.ROOT, "%,.0f files", mostFiles));
        text(svg, left - 5, TOP + 5, "end", String.format(Locale.ROOT, "%.0f", most));
        text(svg, left - 5, TOP + HEIGHT, "end", "0");
        svg.append("<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"black\"/>%n"
                .formatted(left, TOP, TOP + HEIGHT, left + WIDTH));
        for (int i = 0; i < all.size(); i++) {
            Series series = all.get(i);
            StringBuilder points = new StringBuilder();
            for (String[] row : rows) {
                if (row[0].equals(series.lake)) {
                    points.append(String.format(
                            Locale.ROOT,
                            "%.1f,%.1f ",
                            left + WIDTH * files(row) / mostFiles,
                            TOP + HEIGHT * (1 - series.value.applyAsDouble(row) / most)));
                }
            }
            svg.append("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n"
                    .formatted(points.toString().strip(), COLOURS.get(i)));
            svg.append("<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>%n"
                    .formatted(left + 10, TOP + HEIGHT + 35 + 15 * i, COLOURS.get(i), series.name));
        }
        return svg.toString();
    }

    private static void text(StringBuilder svg, int x, int y, String anchor, String text) {
        svg.append("<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>%n".formatted(x, y, anchor, text));
    }
}
