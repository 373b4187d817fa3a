package io.devicearena.cli.input;

import io.devicearena.plan.size.Dimension;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the free dimensions that {@code --dim} names.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class DimensionRange {
    private static final Pattern FORM = Pattern.compile("(.+)=(\\d+)(?:\\.\\.(\\d+)(?::(\\d+))?)?");

    private DimensionRange() {}

    /**
     * Reads dimensions, for example {@code batch=4}, {@code tokens=1..512} or {@code width=32..640:32}.
     *
     * @param texts what was given
     * @return the dimensions
     * @throws IllegalArgumentException if one has no name, one that another has, or no size of 1 or more
     */
    public static List<Dimension> of(List<String> texts) {
        Map<String, Dimension> dimensions = new LinkedHashMap<>();
        for (String text : texts) {
            Dimension dimension = of(text);
            if (dimensions.put(dimension.name(), dimension) != null) {
                throw new IllegalArgumentException(
                        "--dim: expected each name once, got '" + dimension.name() + "' twice");
            }
        }
        return List.copyOf(dimensions.values());
    }

    private static Dimension of(String text) {
        Matcher parts = FORM.matcher(text);
        try {
            if (parts.matches() && !parts.group(2).startsWith("0")) {
                long least = Long.parseLong(parts.group(2));
                String most = parts.group(3);
                String multiple = parts.group(4);
                return new Dimension(
                        parts.group(1),
                        least,
                        most == null ? least : Long.parseLong(most),
                        multiple == null ? 1 : Long.parseLong(multiple));
            }
        } catch (IllegalArgumentException e) {
            // refused below
        }
        throw new IllegalArgumentException("--dim: expected a name and a size of 1 or more or a range of sizes, for"
                + " example batch=4, batch=1..64 or width=32..640:32, got '" + text + "'");
    }

    /**
     * The largest sizes of dimensions.
     *
     * @param dimensions the dimensions
     * @return each by its name
     */
    public static Map<String, Long> most(List<Dimension> dimensions) {
        Map<String, Long> sizes = new LinkedHashMap<>();
        dimensions.forEach(dimension -> sizes.put(dimension.name(), dimension.most()));
        return sizes;
    }

    /**
     * Whether some dimension has several sizes.
     *
     * @param dimensions the dimensions
     * @return true if one is a range
     */
    public static boolean isFree(List<Dimension> dimensions) {
        return dimensions.stream().anyMatch(dimension -> dimension.least() < dimension.most());
    }

    /**
     * Finds the largest size that fits, by halving the range: a larger size is taken to need no less memory.
     *
     * @param range the dimension
     * @param fits whether a size fits
     * @return the size, or 0 if none fits
     */
    public static long largest(Dimension range, LongPredicate fits) {
        if (fits.test(range.most())) {
            return range.most();
        }
        long unit = range.multipleOf();
        long found = 0;
        long from = range.least() / unit;
        long to = range.most() / unit - 1;
        while (from <= to) {
            long tried = from + (to - from) / 2;
            if (fits.test(tried * unit)) {
                found = tried * unit;
                from = tried + 1;
            } else {
                to = tried - 1;
            }
        }
        return found;
    }
}
