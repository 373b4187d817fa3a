package io.devicearena.conformance.topics;

import static io.devicearena.conformance.oracle.ExamplePlan.NODE_8;
import static io.devicearena.conformance.oracle.ExamplePlan.NODE_9;

import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.conformance.oracle.ExamplePlan;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/**
 * Group 1: where the bytes of a plan are.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface GeometryConformance extends ConformanceTopic {
    /** The caller can compute every offset before the arena exists; an empty graph gets an arena too. */
    @Test
    default void required_1_1_sizeIsPlanPlusScratch() {
        for (int[] one : new int[][] {{0, 0}, {10, 16}, {1, 16}, {16, 16}, {17, 32}}) {
            try (DeviceArena arena =
                    open(ExamplePlan.plan(), ArenaOptions.defaults().withScratchBytes(one[0]))) {
                Check.same("size with " + one[0] + " bytes of scratch asked for", 77L + one[1], arena.sizeBytes());
                Check.same("its scratch offset", 77L, arena.scratchOffset());
            }
        }
        try (DeviceArena arena = open(ExamplePlan.bytes(0))) {
            Check.same("size of an empty plan", 1L, arena.sizeBytes());
            Check.same("its scratch offset", 0L, arena.scratchOffset());
        }
        Check.assertInvalid("scratch of -1 byte", () -> ArenaOptions.defaults().withScratchBytes(-1));
    }

    /** An engine asks for every node of its graph, and passes the offsets to its kernels. */
    @Test
    default void required_1_2_valuesAreWhereThePlanSays() {
        MemoryPlan plan = ExamplePlan.plan();
        try (DeviceArena arena = open(plan)) {
            plan.slots().forEach((id, slot) -> {
                Check.same("hasBuffer of " + id, true, arena.hasBuffer(id));
                Check.same("byteOffset of " + id, OptionalLong.of(slot.offset()), arena.byteOffset(id));
            });
            for (NodeId id : List.of(NODE_8, NODE_9)) {
                Check.same("hasBuffer of " + id, false, arena.hasBuffer(id));
                Check.same("byteOffset of " + id, OptionalLong.empty(), arena.byteOffset(id));
                Check.same("lengthBytes of " + id, 0L, arena.lengthBytes(id));
            }
        }
    }
}
