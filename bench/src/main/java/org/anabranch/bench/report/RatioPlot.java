package org.anabranch.bench.report;

import static org.anabranch.bench.report.Row.OURS;
import static org.anabranch.bench.report.Row.PEER;

import java.util.List;
import java.util.Locale;

/** Our rate over the peer's, one bar per row with the spread of its rounds, on a logarithmic scale, as SVG. */
final class RatioPlot {

    private static final int LABEL_WIDTH = 300;
    private static final int PLOT_WIDTH = 560;
    private static final int LINE_HEIGHT = 17;
    private static final int TOP = 44;
    private static final double SMALLEST = 0.1;
    private static final double LARGEST = 1_000;
    private static final double[] TICKS = {0.1, 1, 10, 100, 1_000};

    private RatioPlot() {}

    static String draw(List<Row> rows) {
        List<Row> compared =
                rows.stream().filter(row -> row.ratio(OURS, PEER).isPresent()).toList();
        int height = TOP + LINE_HEIGHT * compared.size() + 12;
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"11\">%n"
                        + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                LABEL_WIDTH + PLOT_WIDTH + 90,
                height));
        svg.append(
                "<text x=\"8\" y=\"16\" font-size=\"13\">Rate of Anabranch over Nessie's (median, smallest and largest"
                        + " of the rounds)</text>\n");
        for (double tick : TICKS) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"%s\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
                    x(tick),
                    TOP - 6,
                    x(tick),
                    height - 8,
                    tick == 1 ? "#444" : "#ddd",
                    x(tick),
                    TOP - 10,
                    tick >= 1 ? "× " + Numbers.shortly(tick).replace(".00", "").replace(".0", "") : "× 0.1"));
        }
        int y = TOP;
        for (Row row : compared) {
            bar(svg, row, row.ratio(OURS, PEER).orElseThrow(), y);
            y += LINE_HEIGHT;
        }
        return svg.append("</svg>\n").toString();
    }

    private static void bar(StringBuilder svg, Row row, Spread ratio, int y) {
        double from = Math.min(x(1), x(ratio.median()));
        double width = Math.abs(x(ratio.median()) - x(1));
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s, %,d, %s</text>"
                        + "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>"
                        + "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#222\"/>"
                        + "<text x=\"%.1f\" y=\"%d\">%s</text>%n",
                LABEL_WIDTH - 8,
                y + 11,
                row.workload(),
                row.tables(),
                row.engine(),
                from,
                y + 2,
                width,
                LINE_HEIGHT - 5,
                ratio.median() >= 1 ? "#4a90c2" : "#c2694a",
                x(ratio.min()),
                y + 8,
                x(ratio.max()),
                y + 8,
                x(ratio.max()) + 6,
                y + 12,
                Numbers.shortly(ratio.median())));
    }

    private static double x(double ratio) {
        double inside = Math.clamp(ratio, SMALLEST, LARGEST);
        return LABEL_WIDTH + PLOT_WIDTH * Math.log(inside / SMALLEST) / Math.log(LARGEST / SMALLEST);
    }
}
