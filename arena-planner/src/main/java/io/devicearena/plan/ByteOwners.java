package io.devicearena.plan;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/** Which value wrote each byte of an arena last, as the execution goes on. */
final class ByteOwners {
    static final int NOBODY = -1;

    /** A run of bytes that one value wrote; the key in the map is where it begins. */
    private record Run(long end, int owner) {}

    private final TreeMap<Long, Run> runs = new TreeMap<>();

    /** Value {@code owner} writes the bytes [start, end), one or more. */
    void write(long start, long end, int owner) {
        Map.Entry<Long, Run> before = runs.lowerEntry(start);
        if (before != null && before.getValue().end() > start) {
            Run cut = before.getValue();
            runs.put(before.getKey(), new Run(start, cut.owner()));
            if (cut.end() > end) {
                runs.put(end, new Run(cut.end(), cut.owner()));
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
        runs.put(start, new Run(end, owner));
    }

    /** The first value that holds a byte of [start, end) and may not, or {@link #NOBODY}. */
    int intruder(long start, long end, IntPredicate mayHold) {
        Map.Entry<Long, Run> at = runs.floorEntry(start);
        if (at == null || at.getValue().end() <= start) {
            at = runs.higherEntry(start);
        }
        while (at != null && at.getKey() < end) {
            if (!mayHold.test(at.getValue().owner())) {
                return at.getValue().owner();
            }
            at = runs.higherEntry(at.getKey());
        }
        return NOBODY;
    }
}
