package io.devicearena.cli;

import io.devicearena.NodeId;
import io.devicearena.plan.text.BufferCsv;
import io.devicearena.plan.InvalidGraphException;
import io.devicearena.plan.InvalidPlanException;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.text.PlanFormatException;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.validation.PlanValidator;
import io.devicearena.plan.PlanResult;
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

/** What a command plans: a graph, or buffers with known lives. */
sealed interface Input {
    /** The network that ships with the program. */
    String BUILT_IN = "resnet50.graph.json";

    /** The name that reports use. */
    String name();

    /** How many values it has. */
    int count();

    /** The alignment in bytes that is usual for such an input. */
    long usualAlignment();

    /** The graph, or empty when it is none. */
    default Optional<FileGraph> graph() {
        return Optional.empty();
    }

    /** Tells whether a plan runs its graph in another order than the given one. */
    default boolean isReordered(PlanResult planned) {
        return graph().map(graph -> !planned.plan()
                        .schedule()
                        .equals(graph.nodes().stream().map(FileNode::id).toList()))
                .orElse(false);
    }

    /** Tells whether a value may lie in the slot of another one that is needed at the same step. */
    default boolean maySlotsBeShared() {
        return graph().stream()
                .flatMap(graph -> graph.nodes().stream())
                .anyMatch(node -> !node.inPlaceInputs().isEmpty() || node.isConcatenation());
    }

    /** The input with what the names of its ops allow declared; itself when it has none. */
    default Input sharingByOp() {
        return this;
    }

    /**
     * Plans it.
     *
     * @throws InputException if it cannot be planned; the message names the file, and the place in a graph's
     */
    PlanResult plan(PlanOptions options);

    /**
     * Proves a plan of this input.
     *
     * @throws InvalidPlanException if it is wrong
     */
    void validate(PlanResult planned, PlanOptions options);

    /** A graph. */
    record OfGraph(FileGraph network) implements Input {
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
        public Input sharingByOp() {
            return new OfGraph(OpSharing.declared(network));
        }

        @Override
        public long usualAlignment() {
            return PlanOptions.DEFAULT_ALIGNMENT;
        }

        @Override
        public PlanResult plan(PlanOptions options) {
            try {
                return MemoryPlanner.plan(network, options);
            } catch (InvalidGraphException e) {
                throw GraphFaults.placed(e, List.of(network));
            }
        }

        @Override
        public void validate(PlanResult planned, PlanOptions options) {
            PlanValidator.validate(planned.plan(), network, options);
            PlanValidator.validate(planned.plan(), planned.buffers(), options);
        }
    }

    /** A forward graph and the backward graph that runs after it. */
    record OfTraining(FileGraph forward, FileGraph backward) implements Input {
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
        public Input sharingByOp() {
            return new OfTraining(OpSharing.declared(forward), OpSharing.declared(backward));
        }

        @Override
        public PlanResult plan(PlanOptions options) {
            TrainingPlan plan;
            try {
                plan = TrainingPlan.of(forward, backward, options);
            } catch (InvalidGraphException e) {
                throw GraphFaults.placed(e, List.of(forward, backward));
            }
            PlanValidator.validate(plan, forward, backward, options);
            return plan.whole();
        }

        @Override
        public void validate(PlanResult planned, PlanOptions options) {
            PlanValidator.validate(planned.plan(), TrainingPlan.joined(forward, backward), options);
            PlanValidator.validate(planned.plan(), planned.buffers(), options);
        }
    }

    /** Buffers with known lives. */
    record OfBuffers(String file, String name, List<LiveBuffer> buffers) implements Input {
        @Override
        public int count() {
            return buffers.size();
        }

        @Override
        public long usualAlignment() {
            return 1; // tables of allocation research give sizes that are rounded already
        }

        @Override
        public PlanResult plan(PlanOptions options) {
            requireCountable(options.alignment());
            return MemoryPlanner.plan(buffers, options);
        }

        private void requireCountable(long alignment) {
            long room = Long.MAX_VALUE - alignment; // what rounding up adds at most is countable too
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
        public void validate(PlanResult planned, PlanOptions options) {
            PlanValidator.validate(planned.plan(), buffers, options);
        }
    }

    /**
     * Reads the backward graph of a forward graph.
     *
     * @throws InputException if one of the two is no graph
     * @throws IOException if reading fails
     */
    static Input training(Input forward, Path backward) throws IOException {
        Optional<FileGraph> first = forward.graph();
        Optional<FileGraph> second = read(Optional.of(backward)).graph();
        if (first.isEmpty() || second.isEmpty()) {
            throw new InputException(
                    first.isEmpty() ? forward.name() : backward.toString(),
                    "expected a graph (.graph.json), since a backward graph goes with a forward one, got buffers");
        }
        requireShared(first.get(), second.get());
        return new OfTraining(first.get(), second.get());
    }

    /** Two graphs without a common value are no training step: most often one of them has ids of another run. */
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
                            + Figures.count(backward.nodes().size(), "value")
                            + "; give them the same ids, or plan each graph by itself");
        }
    }

    /**
     * Reads an input.
     *
     * @param file a graph in JSON or buffers in CSV, told by the name's end; empty for the network that ships with the
     *     program
     * @throws InputException if the file cannot be used
     * @throws IOException if reading fails
     */
    static Input read(Optional<Path> file) throws IOException {
        if (file.isEmpty()) {
            try (InputStream source = Input.class.getResourceAsStream(BUILT_IN)) {
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
            throw new InputException(name, "expected a file, got none of that name");
        } catch (PlanFormatException e) {
            throw new InputException(name, String.valueOf(e.getMessage()));
        } catch (MalformedInputException e) {
            throw new InputException(name, "expected a text in UTF-8, got other bytes");
        } catch (IOException e) {
            throw new InputException(
                    name,
                    "expected a file that can be read, got " + FileWords.why(e) + "; mend that or name another one");
        }
        throw new InputException(name, "expected a name that ends in .graph.json (a graph) or .csv (buffers)");
    }
}
