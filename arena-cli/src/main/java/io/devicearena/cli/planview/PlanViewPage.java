package io.devicearena.cli.planview;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * Draws a memory plan as one HTML page: steps along x, addresses along y, a box for each value.
 *
 * <p>The page needs no network, no other file and no server; it opens from a file. It draws on a canvas, and says the
 * same in a summary and a table.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class PlanViewPage {
    private static final String STYLE = "{{style}}";
    private static final String TITLE = "{{title}}";
    private static final String DATA = "{{data}}";
    private static final String SCRIPT = "{{script}}";

    private PlanViewPage() {}

    /**
     * Writes the page.
     *
     * @param title what was planned: the page's title and heading
     * @param subtitle how it was planned, in one line; may be empty
     * @param arenaBytes the arena's size, 0 or more bytes
     * @param lowerBoundBytes the least that any plan could need, 0 or more bytes
     * @param values the values, in the order of the schedule; their bytes lie within the arena
     * @param target where the page goes; the page says of itself that it is UTF-8, so that is how to encode it
     * @throws IllegalArgumentException if {@code arenaBytes} or {@code lowerBoundBytes} is negative
     * @throws IOException if writing fails
     */
    public static void write(
            String title,
            String subtitle,
            long arenaBytes,
            long lowerBoundBytes,
            List<PlanViewValue> values,
            Appendable target)
            throws IOException {
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(subtitle, "subtitle");
        Objects.requireNonNull(values, "values");
        Objects.requireNonNull(target, "target");
        requireBytes("arena", arenaBytes);
        requireBytes("lower bound", lowerBoundBytes);

        // from placeholder to placeholder, never by replacing in the whole: a title may well contain "{{data}}"
        String page = resource("planview.html");
        int place = 0;
        place = copyTo(TITLE, page, place, target);
        target.append(escaped(PlanViewData.wellFormed(title)));
        place = copyTo(STYLE, page, place, target);
        target.append(resource("planview.css"));
        place = copyTo(DATA, page, place, target);
        PlanViewData.write(title, subtitle, arenaBytes, lowerBoundBytes, values, target);
        place = copyTo(SCRIPT, page, place, target);
        target.append(resource("planview.js"));
        target.append(page, place, page.length());
    }

    private static void requireBytes(String subject, long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException(subject + ": expected 0 or more bytes, got " + bytes);
        }
    }

    /** Copies the page up to a placeholder; returns the place behind it. */
    private static int copyTo(String placeholder, String page, int from, Appendable target) throws IOException {
        int at = page.indexOf(placeholder, from);
        if (at < 0) {
            throw new AssertionError("planview.html: expected " + placeholder + " after character " + from);
        }
        target.append(page, from, at);
        return at + placeholder.length();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static String resource(String name) throws IOException {
        try (InputStream stream = PlanViewPage.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IOException(name + ": expected it beside " + PlanViewPage.class.getName() + ", found nothing");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
