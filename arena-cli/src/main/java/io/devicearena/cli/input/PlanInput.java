package io.devicearena.cli.input;

import io.devicearena.NodeId;
import io.devicearena.cli.message.HumanReadable;
import io.devicearena.cli.message.InputException;
import io.devicearena.cli.message.IoErrorText;
import io.devicearena.plan.BufferCsv;
import io.devicearena.plan.InvalidGraphException;
import io.devicearena.plan.InvalidPlanException;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanFormatException;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanValidator;
import io.devicearena.plan.PlannedMemory;
import io.devicearena.plan.TrainingPlan;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What a command plans: a graph, a forward and a backward graph, or buffers with known live ranges.
 *
 * <p><b>Threads:</b> immutable.
 */
public sealed interface PlanInput {
    /** The network that ships with the program. */
    String BUILT_IN = "resnet50.graph.json";

    /**
     * The name in reports.
     *
     * @return a name, any text
     */
    String name();

    /**
     * The number of values.
     *
     * @return 0 or more
     */
    int count();

    /**
     * The default alignment of such an input.
     *
     * @return bytes
     */
    long usualAlignment();

    /**
     * The graph.
     *
     * @return the graph, both graphs joined for training, or empty for buffers
     */
    default Optional<FileGraph> graph() {
        return Optional.empty();
    }

    /**
     * Whether a plan has another schedule than its graph.
     *
     * @param planned the plan
     * @return true when the planner has reordered the graph
     */
    default boolean isReordered(PlannedMemory planned) {
        return graph().map(graph -> !planned.plan()
                        .schedule()
                        .equals(graph.nodes().stream().map(FileNode::id).toList()))
                .orElse(false);
    }

    /**
     * Whether the graph lets values share slots while both are live.
     *
     * @return true when a node declares inputs that it may overwrite, or a concatenation
     */
    default boolean maySlotsBeShared() {
        return graph().stream()
                .flatMap(graph -> graph.nodes().stream())
                .anyMatch(node -> !node.inPlaceInputs().isEmpty() || node.isConcatenation());
    }

    /**
     * The input with the sharing that the names of its ops allow.
     *
     * @return the changed input; this one when it has no ops
     */
    default PlanInput sharingByOp() {
        return this;
    }

    /**
     * Plans the input.
     *
     * @param options how to plan it
     * @return the plan
     * @throws InputException if it cannot be planned; the message names the file, and for a graph the position
     */
    PlannedMemory plan(PlanOptions options);

    /**
     * Validates a plan of this input.
     *
     * @param planned the plan
     * @param options the options that it was made with
     * @throws InvalidPlanException if it is wrong
     */
    void validate(PlannedMemory planned, PlanOptions options);

    /**
     * A graph.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param network the graph
     */
    record OfGraph(FileGraph network) implements PlanInput {
        @Override
        public String name() {
            return network.name();
        }

        @Override
        public int count() {
            return network.nodes().size();
        }

        @Override
        public Optional<FileGraph> graph() {
            return Optional.of(network);
        }

        @Override
        public PlanInput sharingByOp() {
            return new OfGraph(OnnxInPlaceOps.declared(network));
        }

        @Override
        public long usualAlignment() {
            return PlanOptions.DEFAULT_ALIGNMENT;
        }

        @Override
        public PlannedMemory plan(PlanOptions options) {
            try {
                return MemoryPlanner.plan(network, options);
            } catch (InvalidGraphException e) {
                throw GraphErrorPositions.placed(e, List.of(network));
            }
        }

        @Override
        public void validate(PlannedMemory planned, PlanOptions options) {
            PlanValidator.validate(planned.plan(), network, options);
            PlanValidator.validate(planned.plan(), planned.buffers(), options);
        }
    }

    /**
     * A forward graph and the backward graph that runs after it.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param forward the forward graph
     * @param backward the backward graph
     */
    record OfTraining(FileGraph forward, FileGraph backward) implements PlanInput {
        @Override
        public String name() {
            return forward.name() + " + " + backward.name();
        }

        @Override
        public int count() {
            return joined().nodes().size();
        }

        @Override
        public long usualAlignment() {
            return PlanOptions.DEFAULT_ALIGNMENT;
        }

        private FileGraph joined() {
            Set<NodeId> made = forward.ids();
            List<FileNode> nodes = new ArrayList<>(forward.nodes());
            backward.nodes().stream().filter(node -> !made.contains(node.id())).forEach(nodes::add);
            Set<NodeId> outputs = new LinkedHashSet<>(forward.outputs());
            outputs.addAll(backward.outputs());
            return new FileGraph(forward.file(), name(), nodes, List.copyOf(outputs), forward.outputsPlace());
        }

        @Override
        public Optional<FileGraph> graph() {
            return Optional.of(joined());
        }

        @Override
        public PlanInput sharingByOp() {
            return new OfTraining(OnnxInPlaceOps.declared(forward), OnnxInPlaceOps.declared(backward));
        }

        @Override
        public PlannedMemory plan(PlanOptions options) {
            TrainingPlan plan;
            try {
                plan = TrainingPlan.of(forward, backward, options);
            } catch (InvalidGraphException e) {
                throw GraphErrorPositions.placed(e, List.of(forward, backward));
            }
            PlanValidator.validate(plan, forward, backward, options);
            return plan.whole();
        }

        @Override
        public void validate(PlannedMemory planned, PlanOptions options) {
            PlanValidator.validate(planned.plan(), TrainingPlan.joined(forward, backward), options);
            PlanValidator.validate(planned.plan(), planned.buffers(), options);
        }
    }

    /**
     * Buffers with known live ranges.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param file the name of the file
     * @param name the name in reports
     * @param buffers the buffers
     */
    record OfBuffers(String file, String name, List<LiveBuffer> buffers) implements PlanInput {
        @Override
        public int count() {
            return buffers.size();
        }

        @Override
        public long usualAlignment() {
            return 1; // the sizes in tables of allocation research are rounded already
        }

        @Override
        public PlannedMemory plan(PlanOptions options) {
            requireCountable(options.alignment());
            return MemoryPlanner.plan(buffers, options);
        }

        private void requireCountable(long alignment) {
            long room = Long.MAX_VALUE - alignment; // sums of rounded sizes must fit a long too
            for (LiveBuffer buffer : buffers) {
                long size = buffer.size();
                long padding = size <= room ? -size & (alignment - 1) : 0;
                if (size > room - padding) {
                    throw new InputException(
                            file,
                            "buffer " + buffer.id().value() + ": expected all sizes, each rounded up to a multiple of "
                                    + alignment + ", to add up to at most " + (Long.MAX_VALUE - alignment)
                                    + " bytes, got more with its " + size + "; make them smaller");
                }
                room -= size + padding;
            }
        }

        @Override
        public void validate(PlannedMemory planned, PlanOptions options) {
            PlanValidator.validate(planned.plan(), buffers, options);
        }
    }

    /**
     * Adds the backward graph to a forward graph.
     *
     * @param forward the forward graph
     * @param backward the file of the backward graph
     * @return both
     * @throws InputException if one of the two is not a graph, or they have no value in common
     * @throws IOException if reading fails
     */
    static PlanInput training(PlanInput forward, Path backward) throws IOException {
        Optional<FileGraph> first = forward.graph();
        Optional<FileGraph> second = read(Optional.of(backward)).graph();
        if (first.isEmpty() || second.isEmpty()) {
            throw new InputException(
                    first.isEmpty() ? forward.name() : backward.toString(),
                    "expected a graph (.graph.json) for training with --backward, got a table of buffers");
        }
        requireShared(first.get(), second.get());
        return new OfTraining(first.get(), second.get());
    }

    /** Graphs without a common value do not make a training step; most often one of them has the ids of another run. */
    private static void requireShared(FileGraph forward, FileGraph backward) {
        Set<NodeId> made = forward.ids();
        boolean shares = backward.nodes().stream()
                .anyMatch(node ->
                        made.contains(node.id()) || node.inputs().stream().anyMatch(made::contains));
        if (!shares) {
            throw new InputException(
                    backward.file(),
                    "expected a backward graph that has values of " + forward.file()
                            + " under the same ids, for example the weights, got none among its "
                            + HumanReadable.count(backward.nodes().size(), "value")
                            + "; give them the same ids, or plan each graph by itself");
        }
    }

    /**
     * Reads an input.
     *
     * @param file a graph in JSON or buffers in CSV, by the ending of its name; empty for the network that ships with the
     *     program
     * @return the input
     * @throws InputException if the file cannot be used
     * @throws IOException if reading fails
     */
    static PlanInput read(Optional<Path> file) throws IOException {
        if (file.isEmpty()) {
            try (InputStream source = PlanInput.class.getResourceAsStream(BUILT_IN)) {
                return new OfGraph(GraphJsonReader.read(BUILT_IN, Objects.requireNonNull(source, BUILT_IN)));
            }
        }
        Path path = file.get();
        String name = path.toString();
        if (name.isEmpty()) {
            throw new InputException(
                    "file", "expected the name of a graph (.graph.json) or of buffers (.csv), got an empty one");
        }
        try {
            if (Files.isDirectory(path)) {
                throw new InputException(name, "expected a file, got a folder");
            }
            if (name.endsWith(".csv")) {
                try (var source = Files.newBufferedReader(path)) {
                    return new OfBuffers(name, String.valueOf(path.getFileName()), BufferCsv.read(source));
                }
            }
            if (name.endsWith(".json")) {
                try (InputStream source = Files.newInputStream(path)) {
                    return new OfGraph(GraphJsonReader.read(name, source));
                }
            }
        } catch (NoSuchFileException e) {
            throw new InputException(name, "expected a file, found none of that name");
        } catch (PlanFormatException e) {
            throw new InputException(name, String.valueOf(e.getMessage()));
        } catch (MalformedInputException e) {
            throw new InputException(name, "expected text in UTF-8, got other bytes");
        } catch (IOException e) {
            throw new InputException(name, "the file cannot be read: " + IoErrorText.why(e) + "; name another one");
        }
        throw new InputException(name, "expected a name that ends in .graph.json (a graph) or .csv (buffers)");
    }
}
