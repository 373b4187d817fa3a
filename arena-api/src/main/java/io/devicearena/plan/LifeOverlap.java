package io.devicearena.plan;

import io.devicearena.BufferSlot;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Looks for two buffers that are live together and share bytes: sweeps over the steps, keeping the live buffers by
 * offset. As long as none overlap, a newcomer can only overlap its neighbours.
 */
final class LifeOverlap {
    private LifeOverlap() {}

    static void check(List<LiveBuffer> buffers, BufferSlot[] slots) {
        int[] occupying = IntStream.range(0, slots.length)
                .filter(i -> slots[i].size() > 0
                        && buffers.get(i).upper() > buffers.get(i).lower())
                .toArray();
        int[] ends =
                sorted(occupying, Comparator.comparingLong(i -> buffers.get(i).upper()));
        TreeMap<Long, Integer> live = new TreeMap<>();
        int ended = 0;
        for (int i :
                sorted(occupying, Comparator.comparingLong(i -> buffers.get(i).lower()))) {
            while (buffers.get(ends[ended]).upper() <= buffers.get(i).lower()) {
                live.remove(slots[ends[ended++]].offset());
            }
            Map.Entry<Long, Integer> below = live.floorEntry(slots[i].offset());
            Map.Entry<Long, Integer> above = live.ceilingEntry(slots[i].offset());
            if (below != null && slots[below.getValue()].end() > slots[i].offset()) {
                throw overlap(buffers, slots, below.getValue(), i);
            }
            if (above != null && slots[i].end() > slots[above.getValue()].offset()) {
                throw overlap(buffers, slots, above.getValue(), i);
            }
            live.put(slots[i].offset(), i);
        }
    }

    private static int[] sorted(int[] buffers, Comparator<Integer> order) {
        return IntStream.of(buffers)
                .boxed()
                .sorted(order)
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private static InvalidPlanException overlap(List<LiveBuffer> buffers, BufferSlot[] slots, int a, int b) {
        return new InvalidPlanException("slots: expected no shared byte between buffers that are live together, got "
                + text(buffers.get(a), slots[a]) + " and " + text(buffers.get(b), slots[b]));
    }

    private static String text(LiveBuffer buffer, BufferSlot slot) {
        return buffer.id() + " at " + slot.offset() + " to " + slot.end() + ", live from " + buffer.lower() + " to "
                + buffer.upper();
    }
}
