package io.devicearena.conformance.topics;

import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.conformance.calls.Iterations;
import io.devicearena.conformance.oracle.TestData;
import io.devicearena.conformance.sequence.SequenceProperty;
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
        if (Iterations.percent() < 100) {
            throw skip("the clause takes seconds, and " + Iterations.PROPERTY + " asks for a quick check");
        }
        property((plan, options) -> LargeArena.open(this, plan)).farOffsets(size);
    }

    private SequenceProperty property() {
        return property(this::open);
    }

    private SequenceProperty property(BiFunction<MemoryPlan, ArenaOptions, DeviceArena> opener) {
        return new SequenceProperty(opener, device(), TestData.seed(21), Iterations.percent(), Runnable::run);
    }
}
