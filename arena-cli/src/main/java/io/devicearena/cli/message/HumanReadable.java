package io.devicearena.cli.message;

import java.util.Locale;

/**
 * Numbers as text.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class HumanReadable {
    private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    private HumanReadable() {}

    /**
     * A number of bytes, for example {@code 115.63 MiB (121,247,232 bytes)}.
     *
     * @param bytes the number
     * @return the text
     */
    public static String bytes(long bytes) {
        String exact = String.format(Locale.ROOT, "%,d bytes", bytes);
        if (Math.abs((double) bytes) < 1024) {
            return exact;
        }
        double value = bytes;
        int unit = -1;
        while (Math.abs(value) >= 1024 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, "%.2f %s (%s)", value, UNITS[unit], exact);
    }

    /**
     * A count, for example {@code 1,024}.
     *
     * @param count the number
     * @return the text
     */
    public static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /**
     * A count with its noun, for example {@code 1 value} or {@code 1,024 values}.
     *
     * @param count the number
     * @param noun what is counted, in the singular
     * @return the text
     */
    public static String count(long count, String noun) {
        return count(count) + " " + noun + (count == 1 ? "" : "s");
    }

    /**
     * The ratio of a size to its lower bound.
     *
     * @param size bytes
     * @param bound bytes
     * @return the ratio, 1 when both are 0
     */
    public static double ratio(long size, long bound) {
        return bound == 0 ? (size == 0 ? 1 : Double.POSITIVE_INFINITY) : size / (double) bound;
    }
}
