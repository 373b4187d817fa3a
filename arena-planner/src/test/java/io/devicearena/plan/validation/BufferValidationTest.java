package io.devicearena.plan.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.plan.InvalidPlanException;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.PlanOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plans of buffers with given live ranges, without a graph. */
class BufferValidationTest {
    private static final int PLANS_PER_SEED = 200;

    /** Three buffers of 32 bytes; the first two are live together, the third begins as the first ends. */
    private static final List<LiveBuffer> THREE =
            List.of(buffer(0, 0, 2, 32), buffer(1, 1, 3, 32), buffer(2, 2, 4, 32));

    private static LiveBuffer buffer(long id, long firstStep, long endStep, long size) {
        return new LiveBuffer(NodeId.of(id), firstStep, endStep, size);
    }

    private static MemoryPlan plan(List<LiveBuffer> buffers, long... offsets) {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        for (int i = 0; i < offsets.length; i++) {
            slots.put(
                    buffers.get(i).id(),
                    new BufferSlot(offsets[i], buffers.get(i).size()));
        }
        return new MemoryPlan(1_000, slots, List.of());
    }

    private static void assertInvalid(PlanOptions options, String message, long... offsets) {
        assertThatThrownBy(() -> PlanValidator.validate(plan(THREE, offsets), THREE, options))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessage(message);
    }

    @Test
    void overlap_ofOneByte_isFound() {
        assertInvalid(
                PlanOptions.declared(1),
                "node 0 and node 1: expected no byte in common, got offset 0, size 32, live range [0, 2)"
                        + " and offset 31, size 32, live range [1, 3)",
                0,
                31,
                63);
        assertInvalid(
                PlanOptions.declared(1),
                "node 1 and node 2: expected no byte in common, got offset 40, size 32, live range [1, 3)"
                        + " and offset 9, size 32, live range [2, 4)",
                100,
                40,
                9);
    }

    @Test
    void overlap_atOneOffset_isFound() {
        assertInvalid(
                PlanOptions.declared(1),
                "node 0 and node 1: expected no byte in common, got offset 0, size 32, live range [0, 2)"
                        + " and offset 0, size 32, live range [1, 3)",
                0,
                0,
                99);
    }

    @Test
    void offset_thatIsNotAligned_isFound() {
        assertInvalid(
                PlanOptions.declared(16), "node 1: expected an offset that is a multiple of 16, got 40", 0, 40, 0);
    }

    @Test
    void slot_acrossTheBoundary_isFound() {
        assertInvalid(
                PlanOptions.declared(16).withBoundary(64),
                "node 1: expected a slot that crosses no multiple of 64 bytes, got offset 48 and size 32",
                0,
                48,
                0);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.testing.Seeds#all")
    void validate_ofRandomPlans_followsTheDefinition(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int valid = 0;
        for (int i = 0; i < PLANS_PER_SEED; i++) {
            List<LiveBuffer> buffers = new ArrayList<>();
            long[] offsets = new long[random.nextInt(1, 6)];
            for (int k = 0; k < offsets.length; k++) {
                long firstStep = random.nextLong(8);
                buffers.add(buffer(k, firstStep, firstStep + random.nextLong(4), random.nextLong(50)));
                offsets[k] = random.nextLong(150);
            }
            boolean expected = isValid(buffers, offsets);
            assertThat(passes(buffers, offsets)).as("plan %d: %s", i, buffers).isEqualTo(expected);
            valid += expected ? 1 : 0;
        }
        assertThat(valid).isBetween(1, PLANS_PER_SEED - 1);
    }

    private static boolean passes(List<LiveBuffer> buffers, long[] offsets) {
        try {
            PlanValidator.validate(plan(buffers, offsets), buffers, PlanOptions.declared(1));
            return true;
        } catch (InvalidPlanException e) {
            return false; // the message is asserted by the other tests
        }
    }

    private static boolean isValid(List<LiveBuffer> buffers, long[] offsets) {
        for (int a = 0; a < offsets.length; a++) {
            for (int b = 0; b < a; b++) {
                LiveBuffer one = buffers.get(a);
                LiveBuffer other = buffers.get(b);
                boolean together =
                        Math.max(one.firstStep(), other.firstStep()) < Math.min(one.endStep(), other.endStep());
                boolean shared =
                        Math.max(offsets[a], offsets[b]) < Math.min(offsets[a] + one.size(), offsets[b] + other.size());
                if (together && shared) {
                    return false;
                }
            }
        }
        return true;
    }
}
