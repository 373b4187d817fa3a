package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;
import static io.devicearena.conformance.ExamplePlan.NODE_2;

import io.devicearena.DType;
import io.devicearena.DeviceArena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Group 7: in which order one thread's calls take effect.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface OrderingConformance extends ConformanceTopic {
    /** Catches a write that is queued and not yet visible to the next read. */
    @Test
    default void required_7_1_readSeesTheWritesBeforeIt() {
        SplittableRandom random = TestData.random(71);
        try (DeviceArena arena = open(ExamplePlan.node1(65_536))) {
            byte[] large = TestData.bytes(random, 65_536);
            for (int round = 0; round < 600; round++) {
                if (round % 50 == 0) {
                    random.nextBytes(large);
                    arena.writeBytes(0, MemorySegment.ofArray(large));
                }
                float[] floats = {round, -round};
                byte[] small = TestData.bytes(random, 3);
                int at = random.nextInt(8, 65_533);
                switch (round % 3) {
                    case 0 -> { // typed after raw
                        arena.writeBytes(at, MemorySegment.ofArray(small));
                        arena.writeInputF32(NODE_1, DType.F32, floats);
                    }
                    case 1 -> { // raw after typed
                        arena.writeInputF32(NODE_1, DType.F32, floats);
                        arena.writeBytes(at, MemorySegment.ofArray(small));
                    }
                    default -> { // small after large
                        arena.writeBytes(0, MemorySegment.ofArray(large));
                        arena.writeInputF32(NODE_1, DType.F32, floats);
                        arena.writeBytes(at, MemorySegment.ofArray(small));
                    }
                }
                Check.holds("3 bytes, round " + round, arena, at, small);
                Check.same("2 floats, round " + round, floats, arena.readOutputF32(NODE_1, DType.F32, 2));
                System.arraycopy(small, 0, large, at, 3);
                System.arraycopy(TestData.encoded(DType.F32, floats), 0, large, 0, 8);
            }
            Check.holds("arena after 600 rounds", arena, 0, large);
        }
    }

    /** Catches small writes on a fast path that overtake large ones. */
    @Test
    default void required_7_2_laterWriteWins() {
        SplittableRandom random = TestData.random(72);
        try (DeviceArena arena = open(ExamplePlan.node1(65_536))) {
            byte[] model = TestData.bytes(random, 65_536);
            arena.writeBytes(0, MemorySegment.ofArray(model));
            int[] sizes = {1, 3, 4, 16, 255, 4096, 65_536};
            for (int round = 0; round < 200; round++) {
                for (int i = 0; i < 2; i++) {
                    byte[] data = TestData.bytes(random, sizes[random.nextInt(sizes.length)]);
                    int at = random.nextInt(Math.min(64, model.length - data.length + 1));
                    arena.writeBytes(at, MemorySegment.ofArray(data));
                    System.arraycopy(data, 0, model, at, data.length);
                }
                if (round % 2 == 0) {
                    float[] floats = TestData.exact(DType.BF16, 1 + random.nextInt(100));
                    arena.writeInputF32(NODE_1, DType.BF16, floats);
                    System.arraycopy(TestData.encoded(DType.BF16, floats), 0, model, 0, floats.length * 2);
                }
                Check.holds("arena after overlapping writes, round " + round, arena, 0, Arrays.copyOf(model, 8192));
            }
            Check.holds("arena after overlapping writes", arena, 0, model);
        }
    }

    /** Finds combinations that no other clause lists, if the seeds have them. */
    @Test
    default void stochastic_7_3_anySequenceBehavesLikeAnArrayOfBytes() {
        for (long seed : new long[] {73, 74}) {
            try (DeviceArena arena = openExample()) {
                RandomCalls calls = new RandomCalls(arena, TestData.seed(seed));
                for (int call = 0; call < 5000; call++) {
                    calls.next(call);
                }
            }
        }
    }

    /** Catches state kept by the device or the provider instead of the arena. */
    @Test
    default void required_7_4_arenasDoNotSeeEachOther() {
        try (DeviceArena first = openExample();
                DeviceArena second = openExample()) {
            byte[] firstBytes = TestData.bytes(741, 93);
            byte[] secondBytes = TestData.bytes(742, 93);
            first.writeBytes(0, MemorySegment.ofArray(firstBytes));
            second.writeBytes(0, MemorySegment.ofArray(secondBytes));
            first.setActualLength(NODE_2, 4);
            Check.holds("the first of two arenas", first, 0, firstBytes);
            Check.holds("the second of two arenas", second, 0, secondBytes);
            Check.same("length of node 2 in the first", 4L, first.lengthBytes(NODE_2));
            Check.same("length of node 2 in the second", 32L, second.lengthBytes(NODE_2));
        }
    }

    /** Catches a flush that drops bytes in transit. */
    @Test
    default void required_7_6_flushLosesNothing() {
        SplittableRandom random = TestData.random(76);
        byte[] model = TestData.bytes(random, 4096);
        try (DeviceArena arena = open(ExamplePlan.node1(model.length))) {
            arena.writeBytes(0, MemorySegment.ofArray(model));
            arena.flush();
            for (int round = 0; round < 100; round++) {
                byte[] data = TestData.bytes(random, 1 + random.nextInt(300));
                int at = random.nextInt(model.length - data.length);
                arena.writeBytes(at, MemorySegment.ofArray(data));
                System.arraycopy(data, 0, model, at, data.length);
                if (round % 3 == 0) {
                    float[] floats = TestData.exact(DType.F16, 1 + random.nextInt(9));
                    arena.writeInputF32(NODE_1, DType.F16, floats);
                    System.arraycopy(TestData.encoded(DType.F16, floats), 0, model, 0, floats.length * 2);
                }
                arena.flush();
                Check.holds("arena after a flush, round " + round, arena, 0, model);
            }
        }
    }
}
