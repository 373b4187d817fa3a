package io.devicearena.cpu;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.spi.Availability;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Small arenas, and what they should hold. */
final class TestArenas {
    static final NodeId LEFT = NodeId.of(1);
    static final NodeId MIDDLE = NodeId.of(2);
    static final NodeId RIGHT = NodeId.of(3);
    /** Scheduled, without a slot. */
    static final NodeId FUSED = NodeId.of(4);

    static final NodeId UNKNOWN = NodeId.of(99);

    static final String CLOSED = "device arena 'test' is closed; open a new one";

    private TestArenas() {}

    /** Three slots of 32 bytes side by side, and a value that was fused away. */
    static MemoryPlan threeSlots() {
        return new MemoryPlan(
                96,
                Map.of(
                        LEFT, new BufferSlot(0, 32),
                        MIDDLE, new BufferSlot(32, 32),
                        RIGHT, new BufferSlot(64, 32)),
                List.of(LEFT, FUSED, MIDDLE, RIGHT));
    }

    static MemoryPlan withoutSlots(long bytes) {
        return new MemoryPlan(bytes, Map.of(), List.of());
    }

    static MemoryPlan oneSlot(long bytes) {
        return new MemoryPlan(bytes, Map.of(LEFT, new BufferSlot(0, bytes)), List.of(LEFT));
    }

    static ArenaOptions options() {
        return ArenaOptions.defaults().withLabel("test");
    }

    static ArenaDevice device() {
        return ((Availability.Ready) new CpuDeviceArenaProvider().probe())
                .devices()
                .getFirst();
    }

    static DeviceArena open(MemoryPlan plan) {
        return open(plan, options());
    }

    static DeviceArena open(MemoryPlan plan, ArenaOptions options) {
        return new CpuDeviceArenaProvider().open(device(), plan, options);
    }

    /** An arena of {@link #threeSlots} of which every byte is 0x55. */
    static DeviceArena openFilled() {
        DeviceArena arena = open(threeSlots());
        arena.writeBytes(0, MemorySegment.ofArray(filled(96)));
        return arena;
    }

    static byte[] filled(int bytes) {
        byte[] pattern = new byte[bytes];
        Arrays.fill(pattern, (byte) 0x55);
        return pattern;
    }

    /** Every byte of an arena. */
    static byte[] bytesOf(DeviceArena arena) {
        byte[] bytes = new byte[Math.toIntExact(arena.sizeBytes())];
        arena.readBytes(0, MemorySegment.ofArray(bytes));
        return bytes;
    }

    static byte[] randomBytes(SplittableRandom random, int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Floats of every sort but NaN: any bits, small whole numbers, and such as f16 can hold. */
    static float[] randomFloats(SplittableRandom random, int count) {
        float[] floats = new float[count];
        for (int i = 0; i < count; i++) {
            float any = Float.intBitsToFloat(random.nextInt());
            floats[i] = switch (random.nextInt(3)) {
                case 0 -> Float.isNaN(any) ? -0.0f : any;
                case 1 -> random.nextInt(-8, 8);
                default -> (random.nextFloat() - 0.5f) * 1000;
            };
        }
        return floats;
    }

    /** What an arena should hold for some floats, by an oracle of its own. */
    static byte[] encoded(DType dtype, float[] floats) {
        ByteBuffer bytes = ByteBuffer.allocate(floats.length * dtype.bytes()).order(ByteOrder.nativeOrder());
        for (float value : floats) {
            switch (dtype) {
                case F16 -> bytes.putShort(Float.floatToFloat16(value));
                case BF16 -> bytes.putShort(nearestBf16(value));
                default -> bytes.putFloat(value);
            }
        }
        return bytes.array();
    }

    /** What reading should give for some bytes. */
    static float[] decoded(DType dtype, byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        float[] floats = new float[bytes.length / dtype.bytes()];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = switch (dtype) {
                case F16 -> Float.float16ToFloat(buffer.getShort());
                case BF16 -> Float.intBitsToFloat(buffer.getShort() << 16);
                default -> buffer.getFloat();
            };
        }
        return floats;
    }

    /** Measures the distance to both neighbours in double, where every f32 and 2^128 are exact. */
    private static short nearestBf16(float value) {
        int down = Float.floatToRawIntBits(value) >>> 16;
        if (Float.isInfinite(value)) {
            return (short) down;
        }
        double below = Float.intBitsToFloat(down << 16);
        float next = Float.intBitsToFloat((down + 1) << 16);
        double above = Float.isInfinite(next) ? Math.copySign(0x1p128, value) : next;
        double toBelow = Math.abs(value - below);
        double toAbove = Math.abs(above - value);
        return (short) (toBelow < toAbove || (toBelow == toAbove && down % 2 == 0) ? down : down + 1);
    }
}
