package io.devicearena.conformance.oracle;

import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.conformance.oracle.ValuePlan.Typed;
import java.util.List;

/** Two graphs that run one at a time in one arena, as the specification describes them. */
public final class FamilyPlans {
    /** In both graphs: a parameter of 16 F32. */
    public static final NodeId WEIGHT = NodeId.of(1);

    /** In both graphs, with another type and place in each. */
    public static final NodeId OUTPUT = NodeId.of(3);

    /** In the second graph alone, over the output of the first. */
    public static final NodeId HIDDEN = NodeId.of(4);

    private static final Typed WEIGHTS = new Typed(WEIGHT, "weight", 0, 64, DType.F32, 16);

    /** What both graphs share, in an arena that is large enough for each. */
    public static final MemoryPlan ARENA = ValuePlan.plan(176, List.of(WEIGHTS));

    /** Eight F32, in a slot of 48 bytes. */
    public static final MemoryPlan FIRST =
            ValuePlan.plan(160, List.of(WEIGHTS, new Typed(OUTPUT, "output", 96, 48, DType.F32, 8)));

    /** Bytes over those of the first graph, and an output behind them. */
    public static final MemoryPlan SECOND = ValuePlan.plan(
            176,
            List.of(
                    WEIGHTS,
                    new Typed(HIDDEN, "hidden", 96, 61, DType.U8, 61),
                    new Typed(OUTPUT, "output", 160, 16, DType.F16, 5)));

    private FamilyPlans() {}
}
