package io.devicearena.bench.plans;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanGraph;
import io.devicearena.plan.PlanNode;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.ViewOf;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.placement.PlacementStrategy;
import io.devicearena.plan.strategy.PlacementStrategies;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads a network, a node a line: {@code id, role, elements, dtype, inputs, viewOf}, separated by tabs, after a first
 * line of comment. The planner turns it into the problem that it poses: what is live at some steps only, above the
 * parameters and inputs at the start of the arena.
 */
final class NetworkFile {
    private static final int FIELDS = 6;

    private NetworkFile() {}

    /** Reads a network and closes the source. */
    static PlacementProblem problem(BufferedReader source) throws IOException {
        List<Node> nodes = new ArrayList<>();
        try (source) {
            String line = source.readLine();
            for (int number = 2; line != null && (line = source.readLine()) != null; number++) {
                nodes.add(Node.of(line, number));
            }
        }
        Recording recording = new Recording();
        MemoryPlanner.plan(
                new Network(nodes),
                PlanOptions.f32Uniform(PlanOptions.DEFAULT_ALIGNMENT).withStrategy(recording));
        return recording.problems.getFirst();
    }

    /** Keeps the problems that a planner poses. */
    private static final class Recording implements PlacementStrategy {
        private final PlacementStrategy strategy = PlacementStrategies.all().getFirst();
        private final List<PlacementProblem> problems = new ArrayList<>();

        @Override
        public String name() {
            return strategy.name();
        }

        @Override
        public long[] place(PlacementProblem problem) {
            problems.add(problem);
            return strategy.place(problem);
        }
    }

    private record Network(List<Node> nodes) implements PlanGraph {}

    private record Node(
            NodeId id, NodeRole role, DType dtype, long elements, List<NodeId> inputs, Optional<ViewOf> view)
            implements PlanNode {
        static Node of(String line, int number) {
            String[] fields = line.split("\t", -1);
            if (fields.length != FIELDS) {
                throw new IllegalArgumentException(
                        "line " + number + ": expected " + FIELDS + " fields, got " + fields.length);
            }
            try {
                return new Node(
                        id(fields[0]),
                        NodeRole.valueOf(fields[1].toUpperCase(Locale.ROOT)),
                        DType.parse(fields[3]),
                        Long.parseLong(fields[2]),
                        Arrays.stream(fields[4].split(","))
                                .filter(field -> !field.isEmpty())
                                .map(Node::id)
                                .toList(),
                        fields[5].isEmpty() ? Optional.empty() : Optional.of(ViewOf.whole(id(fields[5]))));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("line " + number + ": expected a node, got '" + line + "'", e);
            }
        }

        private static NodeId id(String field) {
            return NodeId.of(Long.parseLong(field));
        }
    }
}
