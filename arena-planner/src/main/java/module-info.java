/**
 * The planner: from a graph, whose values have sizes and live ranges, to a memory plan with an offset for each value.
 *
 * <p>It can be used by itself: {@linkplain io.devicearena.plan its package} says what it needs, with a sample.
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
