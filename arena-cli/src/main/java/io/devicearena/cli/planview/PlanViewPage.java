package io.devicearena.cli.planview;

import io.devicearena.SegmentLayout;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Draws a memory plan as one HTML page: steps along x, offsets along y, a box for each value.
 *
 * <p>The page loads nothing from a network or another file. It draws on a canvas, and has the same facts as a summary
 * and a table.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param title the title and heading: what was planned
 * @param subtitle how it was planned, in one line; may be empty
 * @param arenaBytes the arena's size, 0 or more bytes
 * @param lowerBoundBytes the lower bound of any plan, 0 or more bytes
 * @param segments the segments of the arena
 * @param values the values, in the order of the schedule; their bytes lie within the arena
 */
public record PlanViewPage(
        String title,
        String subtitle,
        long arenaBytes,
        long lowerBoundBytes,
        SegmentLayout segments,
        List<PlanViewValue> values) {
    private static final String STYLE = "{{style}}";
    private static final String TITLE = "{{title}}";
    private static final String DATA = "{{data}}";
    private static final String SCRIPT = "{{script}}";

    /**
     * Makes a page.
     *
     * @throws IllegalArgumentException if {@code arenaBytes} or {@code lowerBoundBytes} is negative
     */
    public PlanViewPage {
        requireBytes("arena", arenaBytes);
        requireBytes("lower bound", lowerBoundBytes);
    }

    /**
     * Writes the page.
     *
     * @param target where the page is written; encode it as UTF-8, as the page declares
     * @throws IOException if writing fails
     */
    public void write(Writer target) throws IOException {
        // placeholder by placeholder, not by replacing in the whole page: a title may contain "{{data}}"
        String page = resource("planview.html");
        int at = copyTo(TITLE, page, 0, target);
        target.append(escaped(PlanViewData.shown(title)));
        at = copyTo(STYLE, page, at, target);
        target.append(resource("planview.css"));
        at = copyTo(DATA, page, at, target);
        PlanViewData.write(this, target);
        at = copyTo(SCRIPT, page, at, target);
        target.append(resource("planview.js"));
        target.append(page, at, page.length());
    }

    private static void requireBytes(String subject, long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException(subject + ": expected 0 or more bytes, got " + bytes);
        }
    }

    /** Copies the page up to a placeholder; returns the index after it. */
    private static int copyTo(String placeholder, String page, int from, Writer target) throws IOException {
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
                throw new IOException(name + ": the resource is missing beside " + PlanViewPage.class.getName());
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
