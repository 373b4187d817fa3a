package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.plan.validation.PlanValidator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Lists of buffers: planned, and put at random places, where every pair of them is looked at. */
class BufferListsTest {
    private static final int PLACINGS = 100;

    private static List<LiveBuffer> buffers(SplittableRandom random, int most) {
        List<LiveBuffer> buffers = new ArrayList<>();
        for (int i = random.nextInt(most); i >= 0; i--) {
            long lower = random.nextInt(20);
            buffers.add(new LiveBuffer(NodeId.of(i), lower, lower + random.nextInt(5), random.nextInt(40)));
        }
        return buffers;
    }

    private static MemoryPlan randomlyPlaced(List<LiveBuffer> buffers, SplittableRandom random) {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        buffers.forEach(buffer -> slots.put(buffer.id(), new BufferSlot(random.nextInt(200), buffer.size())));
        return new MemoryPlan(240, slots, List.of());
    }

    /** By definition: a step and a byte that two buffers have in common. */
    private static boolean anyTwoMeet(MemoryPlan plan, List<LiveBuffer> buffers) {
        for (LiveBuffer a : buffers) {
            BufferSlot one = plan.slot(a.id()).orElseThrow();
            for (LiveBuffer b : buffers) {
                BufferSlot other = plan.slot(b.id()).orElseThrow();
                if (!a.equals(b)
                        && Math.max(a.firstStep(), b.firstStep()) < Math.min(a.endStep(), b.endStep())
                        && Math.max(one.offset(), other.offset()) < Math.min(one.end(), other.end())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isValid(MemoryPlan plan, List<LiveBuffer> buffers) {
        try {
            PlanValidator.validate(plan, buffers, PlanOptions.declared(1));
            return true;
        } catch (InvalidPlanException e) {
            return false; // the answer that is asked for
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void validator_ofRandomOffsets_agreesWithTheDefinition(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < PLACINGS; i++) {
            List<LiveBuffer> buffers = buffers(random, 12);
            MemoryPlan plan = randomlyPlaced(buffers, random);

            assertThat(isValid(plan, buffers))
                    .as(() -> buffers + " in " + plan.slots())
                    .isNotEqualTo(anyTwoMeet(plan, buffers));
        }
    }

    @Test
    void randomOffsets_together_areValidAndInvalid() {
        SplittableRandom random = new SplittableRandom(1);
        int valid = 0;
        for (int i = 0; i < 400; i++) {
            List<LiveBuffer> buffers = buffers(random, 12);
            valid += isValid(randomlyPlaced(buffers, random), buffers) ? 1 : 0;
        }

        assertThat(valid).isBetween(40, 360);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void plan_ofRandomBuffers_isValid(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<LiveBuffer> buffers = buffers(random, 200);
        PlanOptions options = PlanOptions.declared(1L << random.nextInt(7));
        PlanResult planned = MemoryPlanner.plan(buffers, options);

        PlanValidator.validate(planned.plan(), buffers, options);
        assertThat(anyTwoMeet(planned.plan(), planned.buffers())).isFalse();
        assertThat(planned.plan().arenaSize()).isGreaterThanOrEqualTo(planned.lowerBoundBytes());
        assertThat(MemoryPlanner.plan(buffers, options)).isEqualTo(planned);
    }

    @Test
    void buffer_neverLive_countsInTheLowerBound() {
        List<LiveBuffer> buffers =
                List.of(new LiveBuffer(NodeId.of(0), 3, 3, 20), new LiveBuffer(NodeId.of(1), 0, 4, 16));
        PlanResult planned = MemoryPlanner.plan(buffers, PlanOptions.declared(1));

        assertThat(planned.plan().arenaSize()).isEqualTo(20);
        assertThat(planned.lowerBoundBytes()).isEqualTo(20);
    }
}
