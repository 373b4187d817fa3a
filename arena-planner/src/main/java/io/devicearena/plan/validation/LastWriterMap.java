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
        Map.Entry<Long, Run> before = runs.lowerEntry(start);
        if (before != null && before.getValue().end() > start) {
            Run cut = before.getValue();
            runs.put(before.getKey(), new Run(start, cut.writer()));
            if (cut.end() > end) {
                runs.put(end, new Run(cut.end(), cut.writer()));
            }
        }
        Map.Entry<Long, Run> next = runs.ceilingEntry(start);
        while (next != null && next.getKey() < end) {
            runs.remove(next.getKey());
            if (next.getValue().end() > end) {
                runs.put(end, next.getValue());
            }
            next = runs.ceilingEntry(start);
        }
        runs.put(start, new Run(end, writer));
    }

    /** The first value that wrote a byte of [start, end) last and is not allowed to, or null. */
    @Nullable GraphValue intruder(long start, long end, Predicate<GraphValue> allowed) {
        Map.Entry<Long, Run> at = runs.floorEntry(start);
        if (at == null || at.getValue().end() <= start) {
            at = runs.higherEntry(start);
        }
        while (at != null && at.getKey() < end) {
            if (!allowed.test(at.getValue().writer())) {
                return at.getValue().writer();
            }
            at = runs.higherEntry(at.getKey());
        }
        return null;
    }
}
