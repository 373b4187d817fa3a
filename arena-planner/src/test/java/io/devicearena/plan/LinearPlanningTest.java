package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.NodeRole;
import io.devicearena.plan.internal.graph.SlotSizes;
import io.devicearena.plan.strategy.PlacementStrategies;
import io.devicearena.plan.testing.TestGraph;
import io.devicearena.plan.testing.TestNode;
import io.devicearena.plan.validation.PlanValidator;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Graphs in which a walk for each node would meet all others: planning looks at each node a few times only. */
class LinearPlanningTest {
    private static final PlanOptions OPTIONS = PlanOptions.f32Uniform(16).withStrategy(PlacementStrategies.fast());

    /** Of the steps for twice as many nodes, in tenths: 2, and what a logarithm adds. */
    private static final long MOST_GROWTH = 23;

    enum Kind {
        OPS_IN_PLACE_WITH_ONE_FUSED_CHAIN {
            @Override
            void make(TestGraph graph, int n) {
                graph.input(0, 4);
                for (int i = 1; i <= n; i++) {
                    graph.fused(i, 4, i - 1);
                }
                graph.op(n + 1, 4, 0);
                for (int i = n + 2; i <= 2 * n; i++) {
                    graph.inPlace(i, 4, i - 1, n);
                }
            }
        },
        OPS_IN_PLACE_WITH_A_FUSED_OP_OF_MANY_INPUTS {
            @Override
            void make(TestGraph graph, int n) {
                LongStream.range(0, n).forEach(i -> graph.op(i, 4));
                graph.fused(n, 4, range(0, n));
                for (int i = 1; i <= n; i++) {
                    graph.node(TestNode.of(n + i, NodeRole.OP, 4, n, i - 1).over(i - 1));
                }
            }
        },
        OP_THAT_MAY_TAKE_ANY_OF_ITS_INPUTS {
            @Override
            void make(TestGraph graph, int n) {
                LongStream.range(0, n).forEach(i -> graph.op(i, 4));
                LongStream.range(0, n).forEach(i -> graph.view(n + i, 4, i, 0));
                graph.node(TestNode.of(2L * n, NodeRole.OP, 4, range(0, 2L * n)).over(range(0, 2L * n)));
            }
        },
        CONCATENATION_OF_MANY_PARTS {
            @Override
            void make(TestGraph graph, int n) {
                concatenation(graph, n, 8);
            }
        },
        CONCATENATION_OF_MANY_PARTS_WITH_ONE_READ {
            @Override
            void make(TestGraph graph, int n) {
                graph.op(0, 4);
                LongStream.rangeClosed(1, n).forEach(i -> graph.op(i, 4, 0));
                graph.concatenation(n + 1, 4L * n, range(1, n + 1));
            }
        },
        CONCATENATION_WITH_MANY_FILLERS {
            @Override
            void make(TestGraph graph, int n) {
                concatenation(graph, n, 4);
            }
        },
        CONCATENATION_OF_VIEWS {
            @Override
            void make(TestGraph graph, int n) {
                LongStream.range(0, n).forEach(i -> graph.op(2 * i, 4).view(2 * i + 1, 4, 2 * i, 0));
                graph.concatenation(2L * n, 4L * n, odd(n));
            }
        },
        CONCATENATIONS_OF_CONCATENATIONS {
            @Override
            void make(TestGraph graph, int n) {
                graph.op(0, 4);
                LongStream.range(0, n)
                        .forEach(i -> graph.op(2 * i + 1, 4).concatenation(2 * i + 2, 4 * (i + 2), 2 * i, 2 * i + 1));
            }
        },
        CONCATENATIONS_OF_THE_SAME_VALUES {
            @Override
            void make(TestGraph graph, int n) {
                graph.op(0, 4).op(1, 4);
                LongStream.range(2, n).forEach(i -> graph.concatenation(i, 8, 0, 1));
            }
        },
        CONCATENATION_OF_ONE_VALUE {
            @Override
            void make(TestGraph graph, int n) {
                long[] parts = new long[n];
                Arrays.fill(parts, 0);
                graph.op(0, 4).concatenation(1, 4L * n, parts);
            }
        },
        VIEWS_OF_VIEWS {
            @Override
            void make(TestGraph graph, int n) {
                graph.op(0, n + 4);
                LongStream.range(1, n).forEach(i -> graph.view(i, n + 4 - i, i - 1, 1));
            }
        },
        VIEWS_OF_ONE_VALUE {
            @Override
            void make(TestGraph graph, int n) {
                graph.op(0, n);
                LongStream.range(1, n).forEach(i -> graph.view(i, 1, 0, i));
                LongStream.range(1, n).forEach(i -> graph.op(n + i, 1, i));
            }
        },
        READERS_OF_ONE_VALUE {
            @Override
            void make(TestGraph graph, int n) {
                graph.op(0, 4);
                LongStream.range(1, n).forEach(i -> graph.inPlace(i, 4, 0));
            }
        },
        OP_OF_MANY_INPUTS {
            @Override
            void make(TestGraph graph, int n) {
                LongStream.range(0, n).forEach(i -> graph.op(i, 4));
                graph.op(n, 4, range(0, n));
            }
        },
        OUTPUTS {
            @Override
            void make(TestGraph graph, int n) {
                graph.op(0, 4);
                LongStream.range(1, n).forEach(i -> graph.output(i, 4, i - 1));
            }
        },
        CHAIN_IN_PLACE {
            @Override
            void make(TestGraph graph, int n) {
                graph.op(0, 4);
                LongStream.range(1, n).forEach(i -> graph.inPlace(i, 4, i - 1));
            }
        },
        CHAIN_OF_FUSED_OPS {
            @Override
            void make(TestGraph graph, int n) {
                graph.op(0, 4);
                LongStream.range(1, n).forEach(i -> graph.fused(i, 4, i - 1));
                LongStream.range(n, 2L * n).forEach(i -> graph.op(i, 4, i - n));
            }
        },
        FUSED_OP_OF_MANY_INPUTS_AND_READERS {
            @Override
            void make(TestGraph graph, int n) {
                graph.input(0, 16);
                LongStream.rangeClosed(1, n).forEach(i -> graph.op(i, 16, 0));
                graph.fused(n + 1, 16, range(1, n + 1));
                LongStream.range(0, n).forEach(i -> graph.op(n + 2 + i, 16, n + 1));
            }
        },
        STATES_WITH_UPDATES {
            @Override
            void make(TestGraph graph, int n) {
                LongStream.range(0, n).forEach(i -> graph.node(TestNode.of(i, NodeRole.STATE, 4)));
                LongStream.range(0, n).forEach(i -> graph.op(n + i, 4, i));
                LongStream.range(0, n)
                        .forEach(i -> graph.node(TestNode.of(2L * n + i, NodeRole.OP, 4, i, n + i)
                                .updating(i)));
            }
        },
        STATES_READ_BY_ONE_FUSED_CHAIN {
            @Override
            void make(TestGraph graph, int n) {
                LongStream.range(0, n).forEach(i -> graph.node(TestNode.of(i, NodeRole.STATE, 4)));
                graph.fused(n, 4, range(0, n));
                LongStream.range(n + 1, 2L * n).forEach(i -> graph.fused(i, 4, i - 1));
                graph.op(2L * n, 4, 2L * n - 1);
                LongStream.range(0, n)
                        .forEach(i -> graph.node(
                                TestNode.of(2L * n + 1 + i, NodeRole.OP, 4, i).updating(i)));
            }
        },
        UPDATES_OF_ONE_STATE {
            @Override
            void make(TestGraph graph, int n) {
                graph.node(TestNode.of(0, NodeRole.STATE, 4));
                LongStream.range(1, n)
                        .forEach(i ->
                                graph.node(TestNode.of(i, NodeRole.OP, 4, i - 1).updating(i - 1)));
            }
        },
        CONTROL_DEPENDENCIES {
            @Override
            void make(TestGraph graph, int n) {
                LongStream.range(0, n).forEach(i -> graph.op(i, 4));
                graph.node(TestNode.of(n, NodeRole.OP, 4).after(range(0, n)));
                LongStream.range(1, n)
                        .forEach(i ->
                                graph.node(TestNode.of(n + i, NodeRole.OP, 4).after(n)));
            }
        },
        TRAINING_THAT_READS_ALL_ACTIVATIONS {
            @Override
            void make(TestGraph graph, int n) {
                graph.op(0, 4);
                LongStream.range(1, n).forEach(i -> graph.op(i, 4, i - 1));
                LongStream.range(n, 2L * n).forEach(i -> graph.op(i, 4, i - 1, 2L * n - 1 - i));
            }
        };

        abstract void make(TestGraph graph, int n);

        static long[] range(long from, long to) {
            return LongStream.range(from, to).toArray();
        }

        /** The first odd numbers, n of them. */
        static long[] odd(int n) {
            return LongStream.range(0, n).map(i -> 2 * i + 1).toArray();
        }

        /** Parts of 4 elements, each made from a value of its own, which may fill the part of another. */
        static void concatenation(TestGraph graph, int n, int elements) {
            for (int i = 0; i < n; i++) {
                graph.op(2L * i, elements).op(2L * i + 1, 4, 2L * i);
            }
            graph.concatenation(2L * n, 4L * n, odd(n));
        }
    }

    /** How often planning looks at nodes and at what they refer to; the plan is valid. */
    private static long looks(Kind kind, int n, PlanOptions options) {
        TestGraph graph = new TestGraph();
        kind.make(graph, n);
        SlotSizes sizes = GraphReader.sizes(graph, options);
        SharedLayout layout = new SharedLayout(options, false);
        layout.add("graph", sizes);
        PlanValidator.validate(MemoryPlanner.place(sizes, options, layout).plan(), graph, options);
        return sizes.graph().looks();
    }

    private static void assertLinear(Kind kind, PlanOptions options, int nodes) {
        long once = looks(kind, nodes, options);
        assertThat(looks(kind, 2 * nodes, options)).isBetween(once, MOST_GROWTH * once / 10);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Kind.class)
    void plan_ofTwiceAsManyNodes_takesTwiceTheSteps(Kind kind) {
        assertLinear(kind, OPTIONS, 1000);
    }

    /** Of two kinds alone: the search for an order takes its seconds at any size. */
    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"OPS_IN_PLACE_WITH_ONE_FUSED_CHAIN", "FUSED_OP_OF_MANY_INPUTS_AND_READERS"})
    void reordering_ofTwiceAsManyNodes_takesTwiceTheSteps(Kind kind) {
        assertLinear(kind, OPTIONS.withReordering(), 300);
    }
}
