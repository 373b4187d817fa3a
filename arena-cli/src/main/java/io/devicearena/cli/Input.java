package io.devicearena.cli;

import io.devicearena.plan.BufferCsv;
import io.devicearena.plan.InvalidPlanException;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanFormatException;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanValidator;
import io.devicearena.plan.PlannedMemory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

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

    PlannedMemory plan(PlanOptions options);

    /**
     * Proves a plan of this input.
     *
     * @throws InvalidPlanException if it is wrong
     */
    void validate(PlannedMemory planned, PlanOptions options);

    /** A graph. */
    record OfGraph(FileGraph graph) implements Input {
        @Override
        public String name() {
            return graph.name();
        }

        @Override
        public int count() {
            return graph.nodes().size();
        }

        @Override
        public long usualAlignment() {
            return PlanOptions.DEFAULT_ALIGNMENT;
        }

        @Override
        public PlannedMemory plan(PlanOptions options) {
            return MemoryPlanner.plan(graph, options);
        }

        @Override
        public void validate(PlannedMemory planned, PlanOptions options) {
            PlanValidator.validate(planned.plan(), graph, options);
            PlanValidator.validate(planned.plan(), planned.buffers(), options);
        }
    }

    /** Buffers with known lives. */
    record OfBuffers(String name, List<LiveBuffer> buffers) implements Input {
        @Override
        public int count() {
            return buffers.size();
        }

        @Override
        public long usualAlignment() {
            return 1; // tables of allocation research give sizes that are rounded already
        }

        @Override
        public PlannedMemory plan(PlanOptions options) {
            return MemoryPlanner.plan(buffers, options);
        }

        @Override
        public void validate(PlannedMemory planned, PlanOptions options) {
            PlanValidator.validate(planned.plan(), buffers, options);
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
        try {
            if (Files.isDirectory(path)) {
                throw new InputException(name, "expected a file, got a folder");
            }
            if (name.endsWith(".csv")) {
                try (var source = Files.newBufferedReader(path)) {
                    return new OfBuffers(String.valueOf(path.getFileName()), BufferCsv.read(source));
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
        }
        throw new InputException(name, "expected a name that ends in .graph.json (a graph) or .csv (buffers)");
    }
}
