/**
 * The planner: from a graph, whose values have sizes and live ranges, to a memory plan with an offset for each value.
 *
 * <p>It can be used by itself, by an engine that allocates its memory with its own code: it needs {@code arena-api} and the
 * JDK. A node of a graph is what implements {@link io.devicearena.plan.PlanNode}, a record for instance:
 *
 * {@snippet file="io/devicearena/plan/PlannerSampleTest.java" region="node"}
 *
 * <p>A plan says how many bytes a graph takes, and where each value lies:
 *
 * {@snippet file="io/devicearena/plan/PlannerSampleTest.java" region="plan"}
 *
 * <p>Start at {@link io.devicearena.plan.MemoryPlanner}.
 */
@org.jspecify.annotations.NullMarked
module io.devicearena.plan {
    requires static jdk.jfr;
    requires static org.jspecify;
    requires transitive io.devicearena;

    exports io.devicearena.plan;
    exports io.devicearena.plan.optimal;
    exports io.devicearena.plan.placement;
    exports io.devicearena.plan.size;
    exports io.devicearena.plan.strategy;
    exports io.devicearena.plan.text;
    exports io.devicearena.plan.validation;
}
