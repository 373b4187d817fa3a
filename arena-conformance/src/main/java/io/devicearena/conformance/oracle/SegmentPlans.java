package io.devicearena.conformance.oracle;

import io.devicearena.ArenaDevice;
import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Plans whose values and ranges cross the ends of segments, and data that differs in each segment. */
public final class SegmentPlans {
    /** In {@link #values}: from 0 into the third segment, an odd number of f32. */
    public static final NodeId LARGE = NodeId.of(1);

    /** In {@link #values}: ends where the third segment does. */
    public static final NodeId EXACT = NodeId.of(2);

    /** Tests do not cross the ends of larger segments: filling several of them would take too long. */
    private static final int MOST_BYTES = 1 << 20;

    /** The distance between the ends that tests assume where segments are larger. */
    private static final int USUAL_BYTES = 1 << 16;

    /** No arena of a test has more segments. */
    private static final int MOST_SEGMENTS = 8;

    private SegmentPlans() {}

    /**
     * The bytes from one end to the next in arenas of {@link #values} and in arenas without values. Where segments are
     * too large to cross, tests use the same offsets and lengths within one segment.
     */
    public static int segmentBytes(ArenaDevice device) {
        long bytes = device.limits().maxSegmentBytes();
        boolean few = bytes <= device.limits().maxArenaBytes() / MOST_SEGMENTS;
        return few && bytes <= MOST_BYTES ? Math.toIntExact(bytes) : USUAL_BYTES;
    }

    /** A plan of three and a half segments; a third value begins where the fourth segment does. */
    public static MemoryPlan values(int segment) {
        return ExamplePlan.of(
                3L * segment + segment / 2,
                new BufferSlot(0, 2L * segment + 20),
                new BufferSlot(2L * segment + 32, segment - 32L),
                new BufferSlot(3L * segment, segment / 2));
    }

    /** A plan of random values beside each other, small ones and ones larger than a segment. */
    public static MemoryPlan random(SplittableRandom random, int segment, long alignment) {
        List<BufferSlot> slots = new ArrayList<>();
        long end = 0;
        while (end < 4L * segment) {
            long size = switch (random.nextInt(4)) {
                case 0 -> random.nextLong(2L * segment);
                case 1 -> segment;
                default -> random.nextLong(segment / 2);
            };
            long offset = (end + alignment - 1) / alignment * alignment;
            slots.add(new BufferSlot(offset, size));
            end = offset + size;
        }
        return ExamplePlan.of(end, slots.toArray(BufferSlot[]::new));
    }
}
