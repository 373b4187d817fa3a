package io.devicearena.conformance.oracle;

import static io.devicearena.conformance.oracle.ExamplePlan.NODE_1;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16Shadow;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Plans for shadows, and comparisons of their bytes. */
public final class Shadows {
    /** In {@link #plan}: bytes 0 to 31, eight elements. */
    public static final NodeId WHOLE = NODE_1;

    /** In {@link #plan}: bytes 16 to 31, the second half of {@link #WHOLE}. */
    public static final NodeId HALF = NodeId.of(2);

    /** In {@link #plan}: bytes 32 to 43, three elements and a gap after them. */
    public static final NodeId ODD = NodeId.of(3);

    /** In {@link #plan}: bytes 48 to 63, four elements, the last of the plan. */
    public static final NodeId LAST = NodeId.of(4);

    /** Where a mirror must be: the table of the specification. */
    public record Row(long offset, long size, long mirror, long end) {}

    public static final List<Row> TABLE =
            List.of(new Row(0, 16, 0, 8), new Row(16, 20, 8, 20), new Row(32, 12, 16, 24), new Row(64, 4, 32, 36));

    private Shadows() {}

    /** Values beside each other, one inside another, one of odd length. */
    public static MemoryPlan plan() {
        return new MemoryPlan(
                64,
                Map.of(
                        WHOLE, new BufferSlot(0, 32),
                        HALF, new BufferSlot(16, 16),
                        ODD, new BufferSlot(32, 12),
                        LAST, new BufferSlot(48, 16)),
                List.of(WHOLE, HALF, ODD, LAST));
    }

    /** The shadow of an arena. */
    public static F16Shadow of(DeviceArena arena) {
        return arena.unwrap(F16Shadow.class).orElseThrow();
    }

    /** A plan of one value somewhere in it. */
    public static MemoryPlan planOf(long offset, long size) {
        return new MemoryPlan(offset + size, Map.of(NODE_1, new BufferSlot(offset, size)), List.of(NODE_1));
    }

    /** What a mirror must hold: the cast of each element, and a zero after an odd number of them. */
    public static byte[] mirror(int[] f32) {
        byte[] halves =
                Casts.encoded(DType.F16, MemorySegment.ofArray(f32), f32.length).toArray(ValueLayout.JAVA_BYTE);
        return Arrays.copyOf(halves, (halves.length + 3) / 4 * 4);
    }

    public static byte[] bytes(F16Shadow shadow, long offset, int length) {
        byte[] bytes = new byte[length];
        shadow.readBytes(offset, MemorySegment.ofArray(bytes));
        return bytes;
    }

    /** Every byte of a shadow. */
    public static byte[] all(F16Shadow shadow) {
        return bytes(shadow, 0, Math.toIntExact(shadow.sizeBytes()));
    }

    public static void holds(String what, F16Shadow shadow, long offset, byte[] expected) {
        Check.same(what, offset, expected, bytes(shadow, offset, expected.length));
    }

    /** The mirrors of some values are stale, and those of all others of {@link #plan} are not. */
    public static void stale(String what, DeviceArena arena, NodeId... expected) {
        staleOf(List.of(WHOLE, HALF, ODD, LAST), what, arena, expected);
    }

    /** The mirrors of some of several values are stale, and the others are not. */
    public static void staleOf(List<NodeId> all, String what, DeviceArena arena, NodeId... expected) {
        for (NodeId id : all) {
            Check.same(
                    "isStale of " + id + " after " + what,
                    List.of(expected).contains(id),
                    Shadows.of(arena).isStale(id));
        }
    }
}
