package io.devicearena.bench;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanGraph;
import io.devicearena.plan.PlanNode;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanResult;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Planning of graphs of growing size, from the graph interface to the plan, including checks and liveness.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls the setup before anything else
public class PlanBenchmark {
    /**
     * The shape of the graph.
     *
     * <p><b>Threads:</b> immutable.
     */
    public enum Shape {
        /** Each op reads the value of the op before it. */
        CHAIN,
        /** Each op reads one to three earlier values, mostly recent ones. */
        RANDOM
    }

    /** The shape. */
    @Param
    public Shape shape = Shape.CHAIN;

    /** The number of nodes. */
    @Param({"1000", "10000", "100000"})
    public int nodes = 1000;

    private PlanGraph graph;

    /** Makes the graph. */
    @Setup(Level.Trial)
    public void make() {
        SplittableRandom random = new SplittableRandom(1);
        List<Node> made = new ArrayList<>(nodes);
        for (int i = 0; i < nodes; i++) {
            List<NodeId> inputs = i == 0 ? List.of() : inputs(i, random);
            made.add(new Node(NodeId.of(i), i == 0 ? NodeRole.INPUT : NodeRole.OP, 1 + random.nextInt(65_536), inputs));
        }
        NodeId last = NodeId.of(nodes - 1L);
        graph = new Graph(made, List.of(last));
    }

    private List<NodeId> inputs(int i, SplittableRandom random) {
        if (shape == Shape.CHAIN) {
            return List.of(NodeId.of(i - 1L));
        }
        List<NodeId> inputs = new ArrayList<>();
        for (int k = 1 + random.nextInt(3); k > 0; k--) {
            int reach = random.nextInt(100) == 0 ? i : Math.min(i, 32);
            inputs.add(NodeId.of(i - 1L - random.nextInt(reach)));
        }
        return inputs;
    }

    /**
     * Plans the graph with 4 bytes an element, rounded to 16.
     *
     * @return the plan
     */
    @Benchmark
    public PlanResult plan() {
        return MemoryPlanner.plan(graph, PlanOptions.f32Uniform(16));
    }

    private record Node(NodeId id, NodeRole role, long elements, List<NodeId> inputs) implements PlanNode {
        @Override
        public DType dtype() {
            return DType.F32;
        }
    }

    private record Graph(List<Node> nodes, List<NodeId> outputs) implements PlanGraph {}
}
