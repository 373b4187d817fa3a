package io.devicearena.cli.input;

import io.devicearena.NodeId;
import io.devicearena.cli.message.FileKind;
import io.devicearena.cli.message.HumanReadable;
import io.devicearena.cli.message.InputException;
import io.devicearena.cli.message.IoErrorText;
import io.devicearena.plan.size.Dimension;
import io.devicearena.plan.text.BufferCsv;
import io.devicearena.plan.text.PlanFormatException;
import io.devicearena.weights.reader.FirstBytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Reads inputs from files.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class PlanInputReader {
    /** The network that ships with the program. */
    static final String BUILT_IN = "resnet50.graph.json";

    private PlanInputReader() {}

    /**
     * Adds the backward graph to a forward graph.
     *
     * @param forward the forward graph
     * @param backward the file of the backward graph
     * @param sharesByOp whether the names of its ops declare what may share a slot
     * @return both
     * @throws InputException if one of the two is not a graph, or they have no value in common
     * @throws IOException if reading fails
     */
    public static PlanInput training(PlanInput forward, Path backward, boolean sharesByOp) throws IOException {
        Optional<GraphInput> first = forward.graph();
        Optional<GraphInput> second = read(Optional.of(backward), sharesByOp).graph();
        if (first.isEmpty() || second.isEmpty()) {
            throw new InputException(
                    first.isEmpty() ? forward.name() : backward.toString(),
                    "expected a graph (.graph.json) for training with --backward, got a table of buffers");
        }
        FileGraph made = first.get().files().getFirst();
        FileGraph reading = second.get().files().getFirst();
        if (first.get().isOnnx()) {
            throw new InputException(
                    made.file(), "expected a graph (.graph.json) for training with --backward, got an ONNX file");
        }
        requireShared(first.get().nodes().keySet(), made, reading);
        return GraphInput.training(made, reading);
    }

    /** Graphs without a common value do not make a training step; most often one of them has the ids of another run. */
    private static void requireShared(Set<NodeId> made, FileGraph forward, FileGraph backward) {
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
     * @param file as {@link #read(Optional, boolean)}, or an ONNX file
     * @param dimensions the free dimensions of an ONNX file with their sizes; empty for other files
     * @param sharesByOp as {@link #read(Optional, boolean)}; an ONNX file shares by its ops in any case
     * @return the input
     * @throws InputException if the file cannot be used
     * @throws IOException if reading fails
     */
    public static PlanInput read(Optional<Path> file, List<Dimension> dimensions, boolean sharesByOp)
            throws IOException {
        if (file.isPresent() && OnnxInput.isOnnx(file.get())) {
            return OnnxInput.read(file.get(), dimensions);
        }
        if (!dimensions.isEmpty()) {
            throw new IllegalArgumentException("--dim: expected an ONNX file, whose dimensions may be free, got "
                    + file.map(Path::toString).orElse(BUILT_IN));
        }
        return read(file, sharesByOp);
    }

    /**
     * Reads an input.
     *
     * @param file a graph in JSON or buffers in CSV, by the ending of its name; empty for the network that ships with
     *     the program
     * @param sharesByOp whether the names of ops declare what may share a slot, in a graph that says nothing of it
     * @return the input
     * @throws InputException if the file cannot be used
     * @throws IOException if reading fails
     */
    public static PlanInput read(Optional<Path> file, boolean sharesByOp) throws IOException {
        if (file.isEmpty()) {
            try (InputStream source = PlanInputReader.class.getResourceAsStream(BUILT_IN)) {
                byte[] bytes = Objects.requireNonNull(source, BUILT_IN).readAllBytes();
                String text = new String(bytes, StandardCharsets.UTF_8);
                return new GraphInput(GraphJsonReader.read(BUILT_IN, text, sharesByOp), false);
            }
        }
        Path path = file.get();
        String name = path.toString();
        if (name.isEmpty()) {
            throw new InputException(
                    "file", "expected the name of a graph (.graph.json) or of buffers (.csv), got an empty one");
        }
        try {
            FileKind.requireFile(path);
            if (name.endsWith(".csv")) {
                try (var source = Files.newBufferedReader(path)) {
                    source.mark(FirstBytes.MOST);
                    char[] begin = new char[FirstBytes.MOST];
                    int length = source.read(begin);
                    requireFetched(name, new String(begin, 0, Math.max(0, length)));
                    source.reset();
                    return new BufferInput(name, String.valueOf(path.getFileName()), BufferCsv.read(source));
                }
            }
            if (name.endsWith(".json")) {
                String text = Files.readString(path);
                requireFetched(name, text.substring(0, Math.min(FirstBytes.MOST, text.length())));
                String graph = text.startsWith("\uFEFF") ? text.substring(1) : text;
                return new GraphInput(GraphJsonReader.read(name, graph, sharesByOp), false);
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
        throw new InputException(
                name,
                OnnxInput.isOnnx(path)
                        ? "expected a graph (.graph.json), got an ONNX file, whose values have no ids to share; plan it"
                                + " by itself"
                        : "expected a name that ends in .onnx or .graph.json (a graph) or .csv (buffers)");
    }

    /** Refuses what lies in place of a file that was not fetched. */
    private static void requireFetched(String name, String begin) {
        FirstBytes.placeholder(begin.getBytes(StandardCharsets.UTF_8)).ifPresent(problem -> {
            throw new InputException(name, problem);
        });
    }
}
