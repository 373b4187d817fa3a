package io.devicearena.bench.soak;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Draws the rows of a run as an SVG: a curve for each figure that must not grow, and for the throughput. */
final class SoakPicture {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 110;
    private static final int LEFT = 130;
    private static final int RIGHT = 90;

    private SoakPicture() {}

    private record Curve(String name, String colour, ToDoubleFunction<SoakRow> figure) {}

    private static final List<Curve> CURVES = List.of(
            new Curve("resident MiB", "#1b6ca8", SoakRow::residentMiB),
            new Curve("heap MiB", "#7a5195", SoakRow::heapMiB),
            new Curve("open files", "#bc5090", SoakRow::files),
            new Curve("GB/s", "#2f7d4f", row -> row.gigabytes() / row.seconds()),
            new Curve("errors", "#c0392b", SoakRow::errors));

    /** Returns the picture of the rows, of which there is at least one. */
    static String of(List<SoakRow> rows) {
        int height = HEIGHT * CURVES.size() + 40;
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\""
                        + " aria-label=\"Figures of a soak by minute\" font-family=\"sans-serif\" font-size=\"12\">%n"
                        + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                WIDTH + LEFT + RIGHT,
                height));
        for (int i = 0; i < CURVES.size(); i++) {
            svg.append(curve(CURVES.get(i), rows, 20 + i * HEIGHT));
        }
        return svg.append(String.format(
                        Locale.ROOT,
                        "<text x=\"%d\" y=\"%d\" fill=\"#444\">minutes 1 to %d</text>%n</svg>%n",
                        LEFT,
                        height - 12,
                        rows.getLast().minute()))
                .toString();
    }

    private static String curve(Curve curve, List<SoakRow> rows, int top) {
        double most = rows.stream().mapToDouble(curve.figure()).max().orElse(0);
        double scale = most > 0 ? (HEIGHT - 40) / most : 0; // a curve of zeros lies on the axis
        int bottom = top + HEIGHT - 30;
        double step = rows.size() > 1 ? (double) WIDTH / (rows.size() - 1) : 0;
        String points = IntStream.range(0, rows.size())
                .mapToObj(i -> String.format(
                        Locale.ROOT,
                        "%.1f,%.1f",
                        LEFT + i * step,
                        bottom - curve.figure().applyAsDouble(rows.get(i)) * scale))
                .collect(Collectors.joining(" "));
        return String.format(
                Locale.ROOT,
                "<text x=\"10\" y=\"%d\" fill=\"%s\">%s</text>%n"
                        + "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#ccc\"/>%n"
                        + "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n"
                        + "<text x=\"%d\" y=\"%d\" fill=\"#444\">most %s</text>%n",
                bottom - HEIGHT / 3,
                curve.colour(),
                curve.name(),
                LEFT,
                bottom,
                LEFT + WIDTH,
                bottom,
                points,
                curve.colour(),
                LEFT + WIDTH + 8,
                top + 14,
                figure(most));
    }

    /** Four digits at most, without an exponent and without zeros behind the point: 0, 0.5123, 12.3, 123456. */
    private static String figure(double value) {
        return value == 0
                ? "0"
                : new BigDecimal(value)
                        .round(new MathContext(value < 10_000 ? 4 : 0))
                        .setScale(value < 10_000 ? 4 : 0, RoundingMode.HALF_UP)
                        .stripTrailingZeros()
                        .toPlainString();
    }
}
