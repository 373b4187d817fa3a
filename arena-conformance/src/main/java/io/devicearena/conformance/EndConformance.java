package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;
import static io.devicearena.conformance.ExamplePlan.NODE_2;
import static io.devicearena.conformance.ExamplePlan.NODE_3;
import static io.devicearena.conformance.ExamplePlan.NODE_7;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Ends and counts, of groups 1, 5 and 8: last bytes of arenas of many sizes, empty regions, many arenas at once.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface EndConformance extends ConformanceTopic {
    /** Catches sizes that are rounded down to a word, a line or a page, with scratch and without. */
    @Test
    default void required_1_10_lastBytesOfEverySizeCanBeReached() {
        for (int plan : new int[] {3, 4, 64, 77, 255, 4096}) {
            for (int scratch : new int[] {0, 1, 16, 17, 240, 1008, 4081, 4096}) {
                try (DeviceArena arena =
                        open(lastBytes(plan), ArenaOptions.defaults().withScratchBytes(scratch))) {
                    byte[] model = new byte[plan + (scratch + 15) / 16 * 16];
                    String what = "arena of " + plan + " bytes with " + scratch + " of scratch, ";
                    Check.holds(what + "fresh", arena, 0, model);
                    byte[] bytes = TestData.bytes(110L + plan * 31L + scratch, model.length);
                    arena.writeBytes(0, MemorySegment.ofArray(bytes));
                    Check.holds(what + "filled", arena, 0, bytes);
                    for (int end : new int[] {plan, model.length}) {
                        LastBytes.move(what, arena, end, bytes);
                    }
                    arena.writeInputF32(NODE_1, DType.F16, new float[] {1.5f});
                    System.arraycopy(TestData.encoded(DType.F16, new float[] {1.5f}), 0, bytes, plan - 2, 2);
                    Check.holds(what + "after a write of the last value", arena, 0, bytes);
                    Check.same(what + "its last value", new float[] {1.5f}, arena.readOutputF32(NODE_1, DType.F16, 1));
                }
            }
        }
        int[] plans = {3, 4, 64, 77, 255};
        for (int scratch = 0; scratch <= 4096; scratch += 16) {
            int plan = plans[scratch / 16 % plans.length];
            String what = "arena of " + plan + " bytes with " + scratch + " of scratch, ";
            try (DeviceArena arena =
                    open(lastBytes(plan), ArenaOptions.defaults().withScratchBytes(scratch))) {
                byte[] model = new byte[plan + scratch];
                Check.holds(what + "fresh", arena, 0, model);
                int way = scratch / 16;
                LastBytes.write(what, arena, model.length, 1, model);
                LastBytes.write(what, arena, model.length, 2 + way % 2, model);
                byte[] last = Arrays.copyOfRange(model, model.length - 2, model.length);
                byte[] read = Batches.readInOneOfFourWays(arena, model.length - 2L, 2, way);
                Check.same(what + "last bytes", model.length - 2, last, read);
            }
        }
    }

    /** One value of two bytes at the end of a plan. */
    private static MemoryPlan lastBytes(int size) {
        return new MemoryPlan(size, Map.of(NODE_1, new BufferSlot(size - 2L, 2)), List.of(NODE_1));
    }

    /** Catches a copy of no byte that the device refuses, beside others and at the end, and a wrong count. */
    @Test
    default void required_5_14_emptyRegionsAreAcceptedAnywhere() {
        try (DeviceArena arena = openExample()) {
            byte[] model = TestData.bytes(514, 93);
            arena.writeBytes(0, MemorySegment.ofArray(model));
            MemorySegment empty = Segments.of();
            for (long offset : new long[] {0, 1, 32, 76, 77, 92, 93}) {
                byte[] read = new byte[5];
                for (int place = 0; place < 3; place++) {
                    Batch.Builder reads = Batch.builder();
                    Batch.Builder writes = Batch.builder();
                    byte[] data = TestData.bytes(515 + offset * 3 + place, 5);
                    for (int i = 0; i < 3; i++) {
                        if (i == place) {
                            reads.bytes(offset, empty);
                            writes.bytes(offset, empty);
                        } else if (i == (place + 1) % 3) {
                            reads.bytes(88, MemorySegment.ofArray(read));
                            writes.bytes(88, MemorySegment.ofArray(data));
                        } else {
                            reads.elements(NODE_7, DType.U8, empty);
                            writes.elements(NODE_7, DType.U8, empty);
                        }
                    }
                    String what = "a batch with empty regions, one at offset " + offset + ": ";
                    System.arraycopy(data, 0, model, 88, 5);
                    arena.beginWrite(writes.build()).await();
                    Check.holds(what + "arena after a deferred write", arena, 0, model);
                    arena.writeBytes(88, MemorySegment.ofArray(new byte[5]));
                    arena.writeBatch(writes.build());
                    Check.holds(what + "arena", arena, 0, model);
                    Check.same(what + "count", 5L, arena.readBatch(reads.build()));
                    Check.same(what + "bytes", 88, data, read);
                    Arrays.fill(read, (byte) 0);
                    Check.same(
                            what + "count of a deferred read",
                            5L,
                            arena.beginRead(reads.build()).await());
                    Check.same(what + "bytes of a deferred read", 88, data, read);
                }
                LastBytes.nothing(arena, offset);
            }
            arena.writeValueBytes(NODE_2, 32, empty);
            arena.readValueBytes(NODE_2, 32, empty);
            arena.writeValueBytes(NODE_3, 5, empty);
            Check.same("elements of no byte", 0L, Batches.read(arena, NODE_7, DType.I64, empty));
            Check.holds("arena after empty regions", arena, 0, model);
        }
    }

    /** An engine has an arena for each model and batch size; catches tables of a fixed length. */
    @Test
    default void required_8_8_tensOfArenasAreOpenAtOnce() {
        int count = 100;
        List<DeviceArena> arenas = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                arenas.add(open(
                        ExamplePlan.node1(sizeOf(i)), ArenaOptions.defaults().withScratchBytes(16)));
                arenas.get(i).writeBytes(0, MemorySegment.ofArray(ofArena(i)));
                arenas.get(i).setActualLength(NODE_1, 4L * (i + 1));
            }
            for (int i = count - 1; i >= 0; i--) {
                Check.holds("arena " + i + " of " + count, arenas.get(i), 0, ofArena(i));
                Check.same("length in arena " + i, 4L * (i + 1), arenas.get(i).lengthBytes(NODE_1));
            }
            for (int i = 0; i < count; i += 3) {
                arenas.get(i).close();
                DeviceArena another = open(ExamplePlan.bytes(sizeOf(i)));
                arenas.set(i, another);
                Check.holds("a new arena beside " + (count - 1), another, 0, new byte[sizeOf(i)]);
                another.writeBytes(0, MemorySegment.ofArray(ofArena(i)).asSlice(0, another.sizeBytes()));
            }
            for (int i = 0; i < count; i++) {
                int size = Math.toIntExact(arenas.get(i).sizeBytes());
                Check.holds(
                        "arena " + i + " after others were closed", arenas.get(i), 0, Arrays.copyOf(ofArena(i), size));
            }
        } finally {
            arenas.forEach(DeviceArena::close);
        }
    }

    private static byte[] ofArena(int i) {
        return TestData.bytes(88L * 100 + i, sizeOf(i) + 16);
    }

    /** Two of three are longer than a page. */
    private static int sizeOf(int i) {
        return i % 3 == 0 ? 32 * (i + 1) : 5000 + 1000 * i;
    }
}
