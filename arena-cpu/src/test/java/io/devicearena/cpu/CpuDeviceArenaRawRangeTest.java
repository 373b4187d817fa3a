package io.devicearena.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.ReadBatch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The arena against an array of bytes that is handled by hand. */
class CpuDeviceArenaRawRangeTest {
    private static final int SMALL = 37;

    @Test
    void everyOffsetAndLengthIsWrittenWithoutItsNeighbours() {
        SplittableRandom random = new SplittableRandom(1);
        byte[] model = new byte[SMALL];
        try (DeviceArena arena = TestArenas.open(TestArenas.withoutSlots(SMALL));
                Arena memory = Arena.ofConfined()) {
            MemorySegment direct = memory.allocate(SMALL);
            for (int offset = 0; offset <= SMALL; offset++) {
                for (int length = 0; length <= SMALL - offset; length++) {
                    byte[] data = TestArenas.randomBytes(random, length);
                    System.arraycopy(data, 0, model, offset, length);
                    MemorySegment source = MemorySegment.ofArray(data);
                    if (length % 2 == 0) {
                        source = direct.asSlice(0, length).copyFrom(source).asReadOnly();
                    }
                    arena.writeBytes(offset, source);
                    assertThat(TestArenas.bytesOf(arena)).isEqualTo(model);
                }
            }
        }
    }

    @Test
    void progressIsToldAfterEachPieceAndLastOfAll() {
        long piece = 16L << 20;
        long size = 2 * piece + 5;
        List<Long> told = new ArrayList<>();
        try (DeviceArena arena = TestArenas.open(TestArenas.withoutSlots(size));
                Arena memory = Arena.ofConfined()) {
            MemorySegment source = memory.allocate(size).fill((byte) 7);
            arena.writeBytes(0, source, told::add);
            arena.writeBytes(size, MemorySegment.ofArray(new byte[0]), told::add);
            assertThat(told).containsExactly(piece, 2 * piece, size);
            assertThat(arena.<Long>withBytes(0, size, source::mismatch)).isEqualTo(-1);
        }
    }

    @Test
    void lentBytesAreThoseOfTheRangeAndReadOnly() {
        try (DeviceArena arena = TestArenas.open(TestArenas.withoutSlots(SMALL))) {
            byte[] data = TestArenas.randomBytes(new SplittableRandom(3), SMALL);
            arena.writeBytes(0, MemorySegment.ofArray(data));
            assertThat(arena.<byte[]>withBytes(3, 5, lent -> {
                        assertThat(lent.isReadOnly()).isTrue();
                        return lent.toArray(ValueLayout.JAVA_BYTE);
                    }))
                    .isEqualTo(Arrays.copyOfRange(data, 3, 8));
            assertThat(arena.<Long>withBytes(SMALL, 0, MemorySegment::byteSize)).isZero();
            assertThatThrownBy(() -> arena.withBytes(0, -1, MemorySegment::byteSize))
                    .isExactlyInstanceOf(IllegalArgumentException.class)
                    .hasMessage("length: expected 0 or more bytes, got -1");
            assertThatThrownBy(() -> arena.withBytes(1, SMALL, MemorySegment::byteSize))
                    .isExactlyInstanceOf(IllegalArgumentException.class)
                    .hasMessage("range: expected one within the arena of 37 bytes, got offset 1 and length 37;"
                            + " sizeBytes tells the size, plan and scratch together");
        }
    }

    @Test
    void everyOffsetAndLengthIsReadWithoutTheNeighboursOfItsDestination() {
        byte[] model = TestArenas.randomBytes(new SplittableRandom(2), SMALL);
        try (DeviceArena arena = TestArenas.open(TestArenas.withoutSlots(SMALL));
                Arena memory = Arena.ofConfined()) {
            arena.writeBytes(0, MemorySegment.ofArray(model));
            MemorySegment direct = memory.allocate(SMALL + 2);
            MemorySegment heap = MemorySegment.ofArray(new byte[SMALL + 2]);
            for (int offset = 0; offset <= SMALL; offset++) {
                for (int length = 0; length <= SMALL - offset; length++) {
                    byte[] expected = TestArenas.filled(SMALL + 2);
                    System.arraycopy(model, offset, expected, 1, length);
                    for (MemorySegment destination : List.of(direct, heap)) {
                        destination.fill((byte) 0x55);
                        arena.readBytes(offset, destination.asSlice(1, length));
                        assertThat(destination.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
                    }
                }
            }
        }
    }

    @Test
    void anArenaCanBeWrittenFromItselfWhereRangesOverlap() {
        byte[] model = TestArenas.randomBytes(new SplittableRandom(3), SMALL);
        try (DeviceArena arena = TestArenas.open(TestArenas.withoutSlots(SMALL))) {
            arena.writeBytes(0, MemorySegment.ofArray(model));
            arena.writeBytes(3, arena.hostMemory().asSlice(0, 30));
            System.arraycopy(model, 0, model, 3, 30);
            assertThat(TestArenas.bytesOf(arena)).isEqualTo(model);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void longSequencesOfMixedCallsKeepToTheModel(long seed) {
        new Sequence(seed).run(3000);
    }

    /** Mixed calls on slots that share bytes, at odd places and of odd sizes. */
    private static final class Sequence {
        private static final int SIZE = 401;
        private static final List<DType> TYPES = List.of(DType.F32, DType.F16, DType.BF16);

        private final SplittableRandom random;
        private final byte[] model = new byte[SIZE];
        private final MemoryPlan plan;
        private final int[] lengths = new int[12];

        Sequence(long seed) {
            random = new SplittableRandom(seed);
            Map<NodeId, BufferSlot> slots = new HashMap<>();
            for (int i = 0; i < 12; i++) {
                int offset = random.nextInt(SIZE - 8);
                int size = random.nextInt(Math.min(150, SIZE - offset) + 1);
                slots.put(NodeId.of(i), new BufferSlot(offset, size));
                lengths[i] = size;
            }
            plan = new MemoryPlan(SIZE, slots, List.of());
        }

        void run(int calls) {
            try (DeviceArena arena = TestArenas.open(plan)) {
                for (int i = 0; i < calls; i++) {
                    switch (random.nextInt(8)) {
                        case 0 -> writeRaw(arena);
                        case 1, 2 -> writeTyped(arena);
                        case 3 -> readRaw(arena);
                        case 4, 5 -> readTyped(arena);
                        case 6 -> setLength(arena);
                        default -> readTogether(arena);
                    }
                }
                assertThat(TestArenas.bytesOf(arena)).isEqualTo(model);
            }
        }

        private NodeId anyNode() {
            return NodeId.of(random.nextInt(12));
        }

        private BufferSlot slotOf(NodeId node) {
            return plan.slot(node).orElseThrow();
        }

        private DType anyType() {
            return TYPES.get(random.nextInt(TYPES.size()));
        }

        private void writeRaw(DeviceArena arena) {
            int offset = random.nextInt(SIZE + 1);
            byte[] data = TestArenas.randomBytes(random, random.nextInt(SIZE - offset + 1));
            for (int i = 0; i < data.length; i++) {
                data[i] &= (byte) 0xBB; // no full exponent, so no NaN, in any of the three types
            }
            System.arraycopy(data, 0, model, offset, data.length);
            arena.writeBytes(offset, MemorySegment.ofArray(data));
        }

        private void writeTyped(DeviceArena arena) {
            NodeId node = anyNode();
            DType dtype = anyType();
            float[] data = new float[random.nextInt(80)];
            for (int i = 0; i < data.length; i++) {
                data[i] = random.nextInt(-100, 100) / 8f;
            }
            byte[] bytes = TestArenas.encoded(dtype, data);
            BufferSlot slot = slotOf(node);
            int count = (int) Math.min(data.length, slot.size() / dtype.bytes());
            System.arraycopy(bytes, 0, model, (int) slot.offset(), count * dtype.bytes());
            long written = random.nextInt(2) == 0
                    ? arena.writeInputF32(node, dtype, data)
                    : arena.writeInputF32(node, dtype, MemorySegment.ofArray(data));
            assertThat(written).isEqualTo(count);
        }

        private void readRaw(DeviceArena arena) {
            int offset = random.nextInt(SIZE + 1);
            byte[] bytes = new byte[random.nextInt(SIZE - offset + 1)];
            arena.readBytes(offset, MemorySegment.ofArray(bytes));
            assertThat(bytes).isEqualTo(Arrays.copyOfRange(model, offset, offset + bytes.length));
        }

        private int[] expected(NodeId node, DType dtype, int most) {
            int offset = (int) slotOf(node).offset();
            int count = Math.min(most, lengths[(int) node.value()] / dtype.bytes());
            return bits(
                    TestArenas.decoded(dtype, Arrays.copyOfRange(model, offset, offset + count * dtype.bytes())),
                    count);
        }

        /** Bits, not values, and one NaN for all: bytes of one type read as another may be any of them. */
        private static int[] bits(float[] floats, int count) {
            int[] bits = new int[count];
            for (int i = 0; i < count; i++) {
                bits[i] = Float.floatToIntBits(floats[i]);
            }
            return bits;
        }

        private void readTyped(DeviceArena arena) {
            NodeId node = anyNode();
            DType dtype = anyType();
            int most = random.nextInt(80);
            int[] wanted = expected(node, dtype, most);
            float[] got = arena.readOutputF32(node, dtype, most);
            assertThat(bits(got, got.length)).isEqualTo(wanted);
            float[] own = new float[most];
            long count = random.nextInt(2) == 0
                    ? arena.readOutputF32(node, dtype, own)
                    : arena.readOutputF32(node, dtype, MemorySegment.ofArray(own));
            assertThat(count).isEqualTo(wanted.length);
            assertThat(bits(own, wanted.length)).isEqualTo(wanted);
        }

        private void setLength(DeviceArena arena) {
            NodeId node = anyNode();
            int length = random.nextInt((int) slotOf(node).size() + 1);
            arena.setActualLength(node, length);
            lengths[(int) node.value()] = length;
        }

        private void readTogether(DeviceArena arena) {
            NodeId node = anyNode();
            DType dtype = anyType();
            float[] floats = new float[40];
            byte[] bytes = new byte[SIZE];
            int[] wanted = expected(node, dtype, floats.length);
            ReadBatch batch = ReadBatch.builder()
                    .output(node, dtype, floats)
                    .bytes(0, MemorySegment.ofArray(bytes))
                    .build();
            long total = random.nextInt(2) == 0
                    ? arena.readBatch(batch)
                    : arena.beginRead(batch).await();
            assertThat(total).isEqualTo(wanted.length + (long) SIZE);
            assertThat(bits(floats, wanted.length)).isEqualTo(wanted);
            assertThat(bytes).isEqualTo(model);
        }
    }
}
