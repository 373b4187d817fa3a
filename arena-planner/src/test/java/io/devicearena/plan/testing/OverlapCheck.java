package io.devicearena.plan.testing;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.validation.PlanValidator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Checks a placement with the {@link PlanValidator}. */
public final class OverlapCheck {
    private OverlapCheck() {}

    /**
     * Checks a placement: every buffer within the arena at a multiple of the alignment, crossing no multiple of the
     * boundary, and no two buffers that are live at one step sharing a byte.
     *
     * @throws IllegalArgumentException if one of these does not hold
     */
    public static void check(PlacementProblem problem, long[] offsets, long arenaSize) {
        if (offsets.length != problem.count()) {
            throw new IllegalArgumentException(
                    "offsets: expected one for each of " + problem.count() + " buffers, got " + offsets.length);
        }
        List<LiveBuffer> buffers = new ArrayList<>(offsets.length);
        Map<NodeId, BufferSlot> slots = LinkedHashMap.newLinkedHashMap(offsets.length);
        for (int i = 0; i < offsets.length; i++) {
            NodeId id = NodeId.of(i);
            buffers.add(new LiveBuffer(id, problem.lower(i), problem.upper(i), problem.size(i)));
            slots.put(id, new BufferSlot(offsets[i], problem.size(i)));
            boolean live = problem.size(i) > 0 && problem.lower(i) < problem.upper(i);
            if (offsets[i] % problem.alignment() != 0 || (live && offsets[i] < problem.origin())) {
                throw new IllegalArgumentException(id + ": expected a multiple of " + problem.alignment() + " from "
                        + problem.origin() + " on, got " + offsets[i]);
            }
        }
        PlanValidator.validate(
                new MemoryPlan(arenaSize, slots, List.of()),
                buffers,
                PlanOptions.declared(problem.alignment()).withBoundary(problem.boundary()));
    }
}
