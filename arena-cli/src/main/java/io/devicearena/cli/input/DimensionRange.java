package io.devicearena.cli.input;

import java.util.function.LongPredicate;

/**
 * A free dimension and its sizes, as {@code --dim} of {@code fit} names them.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param name the dimension
 * @param least the smallest size, 1 or more
 * @param most the largest size; equal for one size
 */
public record DimensionRange(String name, long least, long most) {
    /**
     * Reads one, for example {@code batch=4} or {@code batch=1..64}.
     *
     * @param text what was given
     * @return the dimension
     * @throws IllegalArgumentException if it has no name, or no size of 1 or more
     */
    public static DimensionRange of(String text) {
        int equals = text.lastIndexOf('=');
        String sizes = text.substring(equals + 1);
        int dots = sizes.indexOf("..");
        try {
            long least = Long.parseLong(dots < 0 ? sizes : sizes.substring(0, dots));
            long most = dots < 0 ? least : Long.parseLong(sizes.substring(dots + 2));
            if (equals > 0 && least > 0 && most >= least) {
                return new DimensionRange(text.substring(0, equals), least, most);
            }
        } catch (NumberFormatException e) {
            // refused below
        }
        throw new IllegalArgumentException("--dim: expected a name and a size of 1 or more or a range of sizes, for"
                + " example batch=4 or batch=1..64, got '" + text + "'");
    }

    /**
     * Finds the largest size that fits, by halving the range: a larger size is taken to need no less memory.
     *
     * @param fits whether a size fits
     * @return the size, or 0 if none fits
     */
    public long largest(LongPredicate fits) {
        if (fits.test(most)) {
            return most;
        }
        long found = 0;
        long from = least;
        long to = most - 1;
        while (from <= to) {
            long tried = from + (to - from) / 2;
            if (fits.test(tried)) {
                found = tried;
                from = tried + 1;
            } else {
                to = tried - 1;
            }
        }
        return found;
    }

    /**
     * Whether it has several sizes.
     *
     * @return true for a range
     */
    public boolean isRange() {
        return least < most;
    }
}
