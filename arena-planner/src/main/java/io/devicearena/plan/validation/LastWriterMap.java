package io.devicearena.plan.validation;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which value wrote each byte of an arena last. */
final class LastWriterMap {
    /** A run of bytes that one value wrote; its key in the map is where it begins. */
    private record Run(long end, GraphValue writer) {}

    private final TreeMap<Long, Run> runs = new TreeMap<>();

    /** Records that a value writes the bytes [start, end), which are not empty. */
    void write(long start, long end, GraphValue writer) {
        split(start);
        split(end);
        runs.subMap(start, end).clear();
        runs.put(start, new Run(end, writer));
    }

    /** Makes two runs of one that reaches across an offset. */
    private void split(long offset) {
        Map.Entry<Long, Run> across = runs.lowerEntry(offset);
        if (across != null && across.getValue().end() > offset) {
            runs.put(across.getKey(), new Run(offset, across.getValue().writer()));
            runs.put(offset, across.getValue());
        }
    }

    /** The first value that wrote a byte of [start, end) last and is not allowed to, or null. */
    @Nullable GraphValue intruder(long start, long end, Predicate<GraphValue> allowed) {
        Long before = runs.floorKey(start);
        for (Run run : runs.subMap(before == null ? start : before, end).values()) {
            if (run.end() > start && !allowed.test(run.writer())) {
                return run.writer();
            }
        }
        return null;
    }
}
