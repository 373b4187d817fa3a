package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;
import static io.devicearena.conformance.ExamplePlan.NODE_2;
import static io.devicearena.conformance.ExamplePlan.NODE_3;

import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DeviceArena;
import io.devicearena.F16ShadowMode;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.conformance.data.LongArena;
import io.devicearena.conformance.data.LongSizes;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Arenas for long data, and memory of a caller as long as they. */
final class LongArenas {
    /** The longest data of a run with less than the usual effort, in bytes. */
    private static final long SHORT = (1 << 20) + 8;

    private static final long BESIDE = 65_549;

    private LongArenas() {}

    /** The longest length, at some place. */
    static long most(ConformanceTopic topic) {
        long longest = Iterations.isLess() ? SHORT : LongSizes.MOST;
        return Math.min(longest + BESIDE, topic.device().limits().maxArenaBytes());
    }

    /** An arena of one value without a type, which lies at its beginning and ends with it. */
    static LongArena open(ConformanceTopic topic) {
        return new LongArena(topic.open(
                ExamplePlan.node1(most(topic)), ArenaOptions.defaults().withF16Shadow(F16ShadowMode.OFF)));
    }

    /**
     * An arena of values that begin at its first byte, at an odd byte and within a word, and end with it. Where a value
     * must lie within a segment and there are several, it has the first value alone.
     */
    static LongArena openPlaces(ConformanceTopic topic) {
        long size = most(topic);
        Map<NodeId, BufferSlot> slots = new TreeMap<>(Comparator.comparing(NodeId::toString));
        slots.put(NODE_1, new BufferSlot(0, size));
        if (topic.device().limits().maxSegmentBytes() >= size) {
            slots.put(NODE_2, new BufferSlot(1, size - 1));
            slots.put(NODE_3, new BufferSlot(6, size - 6));
        }
        MemoryPlan plan = new MemoryPlan(size, slots, List.copyOf(slots.keySet()));
        return new LongArena(topic.open(plan, ArenaOptions.defaults().withF16Shadow(F16ShadowMode.OFF)));
    }

    /** The values of {@link #openPlaces}. */
    static List<NodeId> places(DeviceArena arena) {
        return arena.plan().schedule();
    }

    /** An array with room for a range of so many bytes, and some beside it. */
    static MemorySegment array(long bytes) {
        return MemorySegment.ofArray(new byte[Math.toIntExact(bytes + 16)]);
    }
}
