package com.example.embeddings;

import com.example.embeddings.model.DeviceRun;
import com.example.embeddings.model.HostRun;
import com.example.embeddings.model.MiniLmGraph;
import com.example.embeddings.model.Run;
import com.example.embeddings.text.WordPieces;
import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.F16Shadow;
import io.devicearena.F16ShadowMode;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.kernel.StepTime;
import io.devicearena.kernels.host.ArenaHostValues;
import io.devicearena.kernels.host.ThreadTeam;
import io.devicearena.plan.FamilyPlan;
import io.devicearena.plan.PlanOptions;
import io.devicearena.weights.WeightFile;
import io.devicearena.weights.WeightLoader;
import io.devicearena.weights.tensor.Tensor;
import io.devicearena.wgpu.kernel.Kernels;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Turns texts into vectors of 384 floats and length 1, with all-MiniLM-L6-v2. The cosine of the angle between two
 * vectors, their dot product, says how near the texts are in meaning.
 *
 * <p>One arena has the weights once, and the values of a batch of one shape at a time. The tokens of a batch lie one
 * behind the other, so that none only fills it up.
 *
 * <p><b>Threads:</b> one thread at a time.
 *
 * <p><b>Lifetime:</b> until {@link #close}.
 */
public final class Embeddings implements AutoCloseable {
    /** The elements of a vector. */
    public static final int WIDTH = MiniLmGraph.WIDTH;

    /** The most tokens of a text, as the model was published; what comes behind is left out. */
    public static final int MOST_TOKENS = 256;

    /** The most rows of a batch, for each shape: enough for a text, and to keep a large GPU busy. */
    private static final List<Integer> ROWS = List.of(16, 32, 64, 128, MOST_TOKENS, 2048);

    /** The most texts of a batch. */
    private static final int MOST_TEXTS = 256;

    /** The numbers 0, 1, 2 and so on, which older files store. */
    private static final String POSITIONS = "embeddings.position_ids";
    /** A layer behind the first token; this model takes the mean of all tokens in its place. */
    private static final String POOLER = "pooler.dense.";

    private final WordPieces tokenizer;
    private final Map<String, MiniLmGraph> graphs = new LinkedHashMap<>();
    private final List<Integer> shapes;
    private final Run[] runs;
    private final Deque<AutoCloseable> resources = new ArrayDeque<>();
    private final FamilyPlan family;
    private final DeviceArena arena;
    private final ThreadTeam team;

    /** {@return options that choose the best device for which the steps have kernels: these have none in CUDA} */
    public static ArenaOptions defaultOptions() {
        ArenaOptions options = ArenaOptions.defaults();
        return DeviceArenas.choose(options).provider().equals("cuda") ? options.withProvider("wgpu") : options;
    }

    /**
     * Opens the model.
     *
     * @param folder has the model's {@code model.safetensors} and {@code vocab.txt}
     * @param options of the arena: the provider {@code wgpu}, or one whose memory is the host's, such as {@code cpu}
     * @param precision of the matrices
     * @return the engine
     * @throws IOException if {@code vocab.txt} cannot be read
     * @throws io.devicearena.weights.tensor.WeightFileException if {@code model.safetensors} cannot be read, or breaks
     *     its format
     * @throws IllegalArgumentException if the files are those of another model
     */
    public static Embeddings open(Path folder, ArenaOptions options, Precision precision) throws IOException {
        return open(folder, ROWS, options, precision);
    }

    /** Opens the model for batches of these rows. */
    static Embeddings open(Path folder, List<Integer> rows, ArenaOptions options, Precision precision)
            throws IOException {
        WordPieces tokenizer = WordPieces.read(folder.resolve("vocab.txt"));
        if (tokenizer.size() != MiniLmGraph.TOKENS) {
            throw new IllegalArgumentException(folder.resolve("vocab.txt") + ": expected " + MiniLmGraph.TOKENS
                    + " tokens, got " + tokenizer.size() + "; take the vocab.txt of all-MiniLM-L6-v2");
        }
        try (WeightFile file = WeightFile.open(folder.resolve("model.safetensors"))) {
            return new Embeddings(tokenizer, Optional.of(file), rows, options, precision);
        }
    }

    /** An engine whose weights are all 0, for tokens: it takes the time of the model, and needs no file of it. */
    static Embeddings withoutWeights(ArenaOptions options, Precision precision) {
        return new Embeddings(WordPieces.of("[UNK]", "[CLS]", "[SEP]"), Optional.empty(), ROWS, options, precision);
    }

    private Embeddings(
            WordPieces tokenizer,
            Optional<WeightFile> file,
            List<Integer> rows,
            ArenaOptions options,
            Precision precision) {
        this.tokenizer = tokenizer;
        ArenaDevice chosen = DeviceArenas.choose(options);
        boolean gpu = chosen.provider().equals("wgpu");
        // kernels have the number of workgroups of their shape; the host computes as many rows as there are
        shapes = gpu ? rows : List.of(rows.getLast());
        runs = new Run[shapes.size()];
        for (int shape : shapes) {
            graphs.put(name(shape), new MiniLmGraph(shape, Math.min(shape, MOST_TEXTS), precision));
        }
        boolean mirrors = gpu && precision == Precision.F16;
        ArenaOptions opened =
                options.withLabel("embeddings").withF16Shadow(mirrors ? F16ShadowMode.ON_REQUEST : F16ShadowMode.OFF);
        family = FamilyPlan.of(graphs, PlanOptions.forDevice(chosen).withDeclaredTypes());
        arena = keep(DeviceArenas.open(family.shared(), opened));
        try {
            file.ifPresent(weights -> load(WeightLoader.of(weights, arena)));
            team = keep(new ThreadTeam(Runtime.getRuntime().availableProcessors()));
            if (mirrors) {
                F16Shadow shadow = arena.unwrap(F16Shadow.class).orElseThrow();
                graphs.get(name(shapes.getLast()))
                        .matrices()
                        .forEach(matrix -> shadow.refresh(matrix.id()));
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Loads all weights; a tensor that no step reads is refused, since vectors without it would be wrong. */
    private static void load(WeightLoader loader) {
        loader.matches().leftOver().stream()
                .map(Tensor::name)
                .filter(name -> !name.equals(POSITIONS) && !name.startsWith(POOLER))
                .findFirst()
                .ifPresent(name -> {
                    throw new IllegalArgumentException("model: expected tensors that this engine uses, got '" + name
                            + "' too, without which the vectors would be wrong; take the model.safetensors of"
                            + " all-MiniLM-L6-v2");
                });
        loader.load();
    }

    private <T extends AutoCloseable> T keep(T resource) {
        resources.push(resource);
        return resource;
    }

    private static String name(int rows) {
        return rows + " rows";
    }

    /** The run of a shape; its kernels are compiled when it is used first. */
    private Run run(int shape) {
        Run known = runs[shape];
        if (known != null) {
            return known;
        }
        String name = name(shapes.get(shape));
        MiniLmGraph graph = graphs.get(name);
        DeviceArena view = keep(arena.view(family.plan(name)));
        Optional<Kernels> kernels = view.unwrap(Kernels.class);
        Run made = kernels.isPresent()
                ? new DeviceRun(graph, kernels.get())
                : new HostRun(graph, new ArenaHostValues(view, team));
        runs[shape] = made;
        return made;
    }

    /**
     * Turns texts into vectors.
     *
     * @param texts any texts; what lies behind the first {@link #MOST_TOKENS} tokens of one is left out
     * @return for each text in its order a vector of {@link #WIDTH} elements and length 1
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the engine is closed
     */
    public float[][] embed(List<String> texts) {
        return embedTokens(tokens(texts));
    }

    /** The tokens of texts, as {@link #embedTokens} takes them. */
    List<int[]> tokens(List<String> texts) {
        return texts.stream().map(text -> tokenizer.tokens(text, MOST_TOKENS)).toList();
    }

    /**
     * Turns a text into a vector.
     *
     * @param text any text
     * @return a vector of {@link #WIDTH} elements and length 1
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the engine is closed
     */
    public float[] embed(String text) {
        return embed(List.of(text))[0];
    }

    /**
     * Turns tokens into vectors, for texts that are tokens already.
     *
     * @param texts the tokens of each, 1 to {@link #MOST_TOKENS}, with the first and the last that the model expects
     * @return for each text in its order a vector of {@link #WIDTH} elements and length 1
     * @throws IllegalArgumentException if a text has no tokens or too many, or one that the vocabulary does not have
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the engine is closed
     */
    public float[][] embedTokens(List<int[]> texts) {
        float[][] vectors = new float[texts.size()][WIDTH];
        embedTokens(texts, vectors);
        return vectors;
    }

    /**
     * Turns tokens into vectors, into arrays of the caller. After the first calls it allocates nothing on the heap.
     *
     * @param texts the tokens of each, 1 to {@link #MOST_TOKENS}, with the first and the last that the model expects
     * @param vectors receives for each text in its order a vector of length 1; each array has {@link #WIDTH} elements
     *     or more
     * @throws IllegalArgumentException if a text has no tokens or too many, or one that the vocabulary does not have,
     *     or if there are fewer arrays than texts, or one is too short
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the engine is closed
     */
    public void embedTokens(List<int[]> texts, float[]... vectors) {
        int count = texts.size();
        if (vectors.length < count) {
            throw new IllegalArgumentException(
                    "vectors: expected " + count + " arrays, one for each text, got " + vectors.length);
        }
        for (int i = 0; i < count; i++) {
            check(texts.get(i));
            if (vectors[i].length < WIDTH) {
                throw new IllegalArgumentException(
                        "vectors: expected " + WIDTH + " elements in each, got " + vectors[i].length);
            }
        }
        for (int from = 0; from < count; ) {
            int rows = 0;
            int to = from;
            while (to < count && to - from < MOST_TEXTS && rows + texts.get(to).length <= shapes.getLast()) {
                rows += texts.get(to++).length;
            }
            embed(texts, from, to, run(shapeFor(rows)), vectors);
            from = to;
        }
    }

    private static void embed(List<int[]> texts, int from, int to, Run run, float[]... vectors) {
        run.begin();
        for (int i = from; i < to; i++) {
            run.add(texts.get(i));
        }
        run.run();
        for (int i = from; i < to; i++) {
            run.get(i - from, vectors[i]);
        }
    }

    private int shapeFor(int rows) {
        int shape = 0;
        while (shapes.get(shape) < rows) {
            shape++;
        }
        return shape;
    }

    /** The times of the kernels of a batch of these texts, which fit into one; empty on the host. */
    List<StepTime> times(List<int[]> texts) {
        embedTokens(texts);
        return run(shapeFor(texts.stream().mapToInt(text -> text.length).sum())).times();
    }

    private static void check(int... tokens) {
        if (tokens.length < 1 || tokens.length > MOST_TOKENS) {
            throw new IllegalArgumentException(
                    "texts: expected 1 to " + MOST_TOKENS + " tokens in each, got " + tokens.length);
        }
        for (int token : tokens) {
            if (token < 0 || token >= MiniLmGraph.TOKENS) {
                throw new IllegalArgumentException(
                        "texts: expected tokens of 0 to " + (MiniLmGraph.TOKENS - 1) + ", got " + token);
            }
        }
    }

    /** {@return the name of the device} */
    public String device() {
        return arena.device().name();
    }

    /** {@return the bytes of the arena} */
    public long bytes() {
        return arena.sizeBytes();
    }

    @Override
    public void close() {
        while (!resources.isEmpty()) {
            try {
                resources.pop().close();
            } catch (Exception e) { // neither an arena nor a team throws a checked one
                throw new IllegalStateException("embeddings: closing failed", e);
            }
        }
    }
}
