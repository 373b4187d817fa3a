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
     * @return both
     * @throws InputException if one of the two is not a graph, or they have no value in common
     * @throws IOException if reading fails
     */
    public static PlanInput training(PlanInput forward, Path backward) throws IOException {
        Optional<FileGraph> first = forward.graph();
        Optional<FileGraph> second = read(Optional.of(backward)).graph();
        if (first.isEmpty() || second.isEmpty()) {
            throw new InputException(
                    first.isEmpty() ? forward.name() : backward.toString(),
                    "expected a graph (.graph.json) for training with --backward, got a table of buffers");
        }
        if (forward instanceof GraphInput graph && graph.isOnnx()) {
            throw new InputException(
                    first.get().file(),
                    "expected a graph (.graph.json) for training with --backward, got an ONNX file");
        }
        requireShared(first.get(), second.get());
        return new TrainingInput(first.get(), second.get());
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
     * @param file as {@link #read(Optional)}, or an ONNX file
     * @param dimensions the free dimensions of an ONNX file with their sizes; empty for other files
     * @return the input
     * @throws InputException if the file cannot be used
     * @throws IOException if reading fails
     */
    public static PlanInput read(Optional<Path> file, List<Dimension> dimensions) throws IOException {
        if (file.isPresent() && OnnxInput.isOnnx(file.get())) {
            return OnnxInput.read(file.get(), dimensions);
        }
        if (!dimensions.isEmpty()) {
            throw new IllegalArgumentException("--dim: expected an ONNX file, whose dimensions may be free, got "
                    + file.map(Path::toString).orElse(BUILT_IN));
        }
        return read(file);
    }

    /**
     * Reads an input.
     *
     * @param file a graph in JSON or buffers in CSV, by the ending of its name; empty for the network that ships with
     *     the program
     * @return the input
     * @throws InputException if the file cannot be used
     * @throws IOException if reading fails
     */
    public static PlanInput read(Optional<Path> file) throws IOException {
        if (file.isEmpty()) {
            try (InputStream source = PlanInputReader.class.getResourceAsStream(BUILT_IN)) {
                byte[] text = Objects.requireNonNull(source, BUILT_IN).readAllBytes();
                return new GraphInput(GraphJsonReader.read(BUILT_IN, new String(text, StandardCharsets.UTF_8)), false);
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
                return new GraphInput(
                        GraphJsonReader.read(name, text.startsWith("\uFEFF") ? text.substring(1) : text), false);
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
