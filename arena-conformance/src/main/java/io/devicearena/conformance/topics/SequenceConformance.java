package io.devicearena.conformance.topics;

import static io.devicearena.conformance.oracle.ExamplePlan.NODE_1;
import static io.devicearena.conformance.oracle.ExamplePlan.NODE_2;

import io.devicearena.ArenaOptions;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.conformance.calls.Iterations;
import io.devicearena.conformance.oracle.Casts;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.conformance.oracle.ExamplePlan;
import io.devicearena.conformance.oracle.TestData;
import io.devicearena.conformance.sequence.SequenceProperty;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Group 2: an arena is an array of bytes; one thread's calls in their order, and arenas beside each other.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface SequenceConformance extends ConformanceTopic {
    /** Finds what goes wrong between two calls, whatever they are. */
    @Test
    default void required_2_1_anySequenceBehavesLikeAnArrayOfBytes() {
        property().anySequence();
    }

    /** Finds what goes wrong from a length on, or at one alone. */
    @Test
    default void required_2_2_everyLengthBehavesAlike() {
        property().everyLength();
    }

    /** Finds tables, rings and pools that end. */
    @Test
    default void required_2_3_anyNumberBehavesAlike() {
        property().anyNumber();
    }

    /** Finds an {@code int} in the path of an offset. */
    @Test
    @Tag("slow")
    default void stochastic_2_4_offsetsPast4GiBBehaveAlike() {
        long size = (1L << 32) + (1 << 20);
        if (device().limits().maxArenaBytes() < size) {
            throw skip(
                    "its largest arena has " + device().limits().maxArenaBytes() + " bytes, the clause needs " + size);
        }
        property((plan, options) -> LargeArena.open(this, plan)).farOffsets(size);
    }

    private SequenceProperty property() {
        return property(this::open);
    }

    private SequenceProperty property(BiFunction<MemoryPlan, ArenaOptions, DeviceArena> opener) {
        return new SequenceProperty(opener, device(), TestData.seed(21), Iterations.percent());
    }

    /** Catches a write that is queued and not yet visible, small ones that overtake, and a flush that loses bytes. */
    @Test
    default void required_2_5_callsTakeEffectInTheirOrder() {
        SplittableRandom random = TestData.random(25);
        int[] sizes = {1, 3, 4, 16, 255, 4096, 65_536};
        byte[] model = TestData.bytes(random, 65_536);
        try (DeviceArena arena = open(ExamplePlan.node1(model.length))) {
            arena.writeBytes(0, MemorySegment.ofArray(model));
            for (int round = 0; round < 200; round++) {
                for (int i = 0; i < 2; i++) {
                    byte[] data = TestData.bytes(random, sizes[random.nextInt(sizes.length)]);
                    int at = random.nextInt(Math.min(64, model.length - data.length + 1));
                    arena.writeBytes(at, MemorySegment.ofArray(data));
                    System.arraycopy(data, 0, model, at, data.length);
                }
                float[] floats = TestData.exact(DType.BF16, random.nextInt(100));
                arena.writeInputF32(NODE_1, DType.BF16, floats);
                System.arraycopy(Casts.encoded(DType.BF16, floats), 0, model, 0, floats.length * 2);
                byte[] small = TestData.bytes(random, 3);
                int at = random.nextInt(model.length - 3);
                arena.writeBytes(at, MemorySegment.ofArray(small));
                System.arraycopy(small, 0, model, at, 3);
                if (round % 3 == 0) {
                    arena.flush();
                }
                Check.holds("3 bytes written last, round " + round, arena, at, small);
                Check.holds("arena after overlapping writes, round " + round, arena, 0, Arrays.copyOf(model, 4200));
            }
            Check.holds("arena at the end", arena, 0, model);
        }
    }

    /** Catches state kept by the device or the provider instead of the arena. */
    @Test
    default void required_2_6_arenasDoNotSeeEachOther() {
        byte[] bytes = TestData.bytes(741, 93);
        try (DeviceArena first = openExample();
                DeviceArena second = openExample()) {
            first.writeBytes(0, MemorySegment.ofArray(bytes));
            first.setActualLength(NODE_2, 4);
            Check.holds("the second of two arenas", second, 0, ExamplePlan.filled());
            Check.holds("the first of two arenas", first, 0, bytes);
            Check.same("length of node 2 in the first", 4L, first.lengthBytes(NODE_2));
            Check.same("length of node 2 in the second", 32L, second.lengthBytes(NODE_2));
        }
    }
}
