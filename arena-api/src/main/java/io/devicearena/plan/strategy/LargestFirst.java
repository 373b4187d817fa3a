package io.devicearena.plan.strategy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * TEMPORARY.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class LargestFirst implements PlacementStrategy {
    /** Makes it. */
    public LargestFirst() {}

    @Override
    public String name() {
        return "largest-first";
    }

    @Override
    public long[] place(PlacementProblem p) {
        long[] offsets = new long[p.count()];
        List<Integer> placed = new ArrayList<>();
        for (int i : IntStream.range(0, p.count())
                .boxed()
                .sorted(Comparator.comparingLong(p::size).reversed())
                .mapToInt(Integer::intValue)
                .toArray()) {
            if (!p.occupies(i)) {
                continue;
            }
            long y = p.origin();
            for (int j : placed) {
                if (p.lower(j) < p.upper(i) && p.lower(i) < p.upper(j) && offsets[j] < y + p.size(i)) {
                    y = Math.max(y, offsets[j] + p.size(j));
                }
            }
            offsets[i] = (y + p.alignment() - 1) & -p.alignment();
            placed.add(i);
            placed.sort(Comparator.comparingLong(k -> offsets[k]));
        }
        return offsets;
    }
}
