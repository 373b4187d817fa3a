package io.devicearena.plan.validation;

import io.devicearena.plan.size.Dimension;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Sizes of free dimensions to check a plan at: all combinations of the bounds of the first eight, and others, the same
 * ones each time.
 */
final class SizeSamples {
    private static final int MOST_AT_BOTH_BOUNDS = 8;
    private static final int BETWEEN = 24;

    private SizeSamples() {}

    static Set<Map<String, Long>> of(Collection<Dimension> dimensions) {
        Set<Map<String, Long>> samples = new LinkedHashSet<>();
        SplittableRandom random = new SplittableRandom(1);
        int corners = 1 << Math.min(MOST_AT_BOTH_BOUNDS, dimensions.size());
        for (int i = 0; i < corners + BETWEEN && !dimensions.isEmpty(); i++) {
            Map<String, Long> sizes = new TreeMap<>();
            for (Dimension dimension : dimensions) {
                long unit = dimension.multipleOf();
                long between = random.nextLong(dimension.least() / unit, dimension.most() / unit + 1) * unit;
                long bound = (i >> sizes.size() & 1) == 0 ? dimension.least() : dimension.most();
                sizes.put(dimension.name(), i < corners ? bound : between);
            }
            samples.add(sizes);
        }
        return samples;
    }
}
