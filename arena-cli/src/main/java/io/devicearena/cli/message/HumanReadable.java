package io.devicearena.cli.message;

import java.util.Locale;

/** HumanReadable as people read them. */
public final class HumanReadable {
    private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    private HumanReadable() {}

    /** For example {@code 115.63 MiB (121,247,232 bytes)}. */
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

    public static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** For example {@code 1 value} or {@code 1,024 values}. */
    public static String count(long count, String noun) {
        return count(count) + " " + noun + (count == 1 ? "" : "s");
    }

    /** The ratio of a size to its lower bound, 1 when both are 0. */
    public static double ratio(long size, long bound) {
        return bound == 0 ? (size == 0 ? 1 : Double.POSITIVE_INFINITY) : size / (double) bound;
    }
}
