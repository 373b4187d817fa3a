package com.example.embeddings;

import com.example.embeddings.model.DeviceRun;
import com.example.embeddings.model.HostRun;
import com.example.embeddings.model.MiniLmGraph;
import com.example.embeddings.model.Run;
import com.example.embeddings.steps.Dense;
import com.example.embeddings.text.WordPieces;
import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.F16ShadowMode;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.host.ArenaHostValues;
import io.devicearena.kernels.host.ThreadTeam;
import io.devicearena.plan.FamilyPlan;
import io.devicearena.plan.PlanOptions;
import io.devicearena.weights.WeightFile;
import io.devicearena.weights.WeightLoader;
import io.devicearena.wgpu.WgpuArena;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Turns texts into vectors of 384 floats and length 1, with all-MiniLM-L6-v2. The cosine of the angle between two
 * vectors, their dot product, says how near the texts are in meaning.
 *
 * <p>One arena has the weights once, and the values of a batch of one shape at a time. Texts are sorted by their
 * length, so that a batch has few tokens that only fill it up.
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

    /** The lengths of batches: a text takes the first that is not too short. */
    private static final List<Integer> LENGTHS = List.of(16, 32, 64, 128, MOST_TOKENS);

    /** Rows of tokens in a large batch: enough to keep a large GPU busy. */
    private static final int ROWS = 2048;

    private final WordPieces tokenizer;
    private final Map<String, MiniLmGraph> graphs = new LinkedHashMap<>();
    private final Map<String, Run> runs = new HashMap<>();
    private final Deque<AutoCloseable> resources = new ArrayDeque<>();
    private final FamilyPlan family;
    private final DeviceArena arena;
    private final ThreadTeam team;

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
        WordPieces tokenizer = WordPieces.read(folder.resolve("vocab.txt"));
        if (tokenizer.size() != MiniLmGraph.TOKENS) {
            throw new IllegalArgumentException(folder.resolve("vocab.txt") + ": expected " + MiniLmGraph.TOKENS
                    + " tokens, got " + tokenizer.size() + "; take the vocab.txt of all-MiniLM-L6-v2");
        }
        try (WeightFile file = WeightFile.open(folder.resolve("model.safetensors"))) {
            return new Embeddings(tokenizer, Optional.of(file), options, precision);
        }
    }

    /** An engine whose weights are all 0, for tokens: it takes the time of the model, and needs no file of it. */
    static Embeddings withoutWeights(ArenaOptions options, Precision precision) {
        return new Embeddings(WordPieces.of("[UNK]", "[CLS]", "[SEP]"), Optional.empty(), options, precision);
    }

    private Embeddings(WordPieces tokenizer, Optional<WeightFile> file, ArenaOptions options, Precision precision) {
        this.tokenizer = tokenizer;
        for (int length : LENGTHS) {
            for (int sequences : List.of(1, ROWS / length)) {
                graphs.put(name(sequences, length), new MiniLmGraph(sequences, length, precision));
            }
        }
        ArenaDevice chosen = DeviceArenas.choose(options);
        boolean mirrors = precision == Precision.F16 && chosen.provider().equals("wgpu");
        ArenaOptions opened =
                options.withLabel("embeddings").withF16Shadow(mirrors ? F16ShadowMode.ON_REQUEST : F16ShadowMode.OFF);
        family = FamilyPlan.of(graphs, PlanOptions.forDevice(chosen).withDeclaredTypes());
        arena = keep(DeviceArenas.open(family.shared(), opened));
        try {
            file.ifPresent(weights -> WeightLoader.of(weights, arena).load());
            team = keep(new ThreadTeam(Runtime.getRuntime().availableProcessors()));
            if (mirrors) {
                products().forEach(product -> mirror((WgpuArena) arena, product));
            } else if (!(arena instanceof WgpuArena)) {
                HostValues host = new ArenaHostValues(arena, team);
                products().forEach(product -> product.prepare(host));
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private <T extends AutoCloseable> T keep(T resource) {
        resources.push(resource);
        return resource;
    }

    /** The products, whose matrices all shapes have in common. */
    private List<Dense> products() {
        return graphs.get(name(1, MOST_TOKENS)).products();
    }

    private static void mirror(WgpuArena arena, Dense product) {
        arena.f16Shadow().refresh(product.matrix().id());
    }

    private static String name(int sequences, int length) {
        return sequences + " x " + length;
    }

    /** The run of a shape; its kernels are compiled when it is used first. */
    private Run run(int sequences, int length) {
        String name = name(sequences, length);
        Run known = runs.get(name);
        if (known != null) {
            return known;
        }
        MiniLmGraph graph = graphs.get(name);
        DeviceArena view = keep(arena.view(family.plan(name)));
        Run made = view instanceof WgpuArena gpu
                ? new DeviceRun(graph, gpu)
                : new HostRun(graph, new ArenaHostValues(view, team));
        runs.put(name, made);
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
        List<int[]> tokens = new ArrayList<>(texts.size());
        for (String text : texts) {
            tokens.add(tokenizer.tokens(text, MOST_TOKENS));
        }
        return embedTokens(tokens);
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
        texts.forEach(Embeddings::check);
        float[][] vectors = new float[texts.size()][WIDTH];
        int[] order = byLength(texts);
        for (int from = 0; from < order.length; ) {
            int length = lengthFor(texts.get(order[from]).length);
            int most = ROWS / length;
            int to = from + 1;
            while (to < order.length && to - from < most && texts.get(order[to]).length <= length) {
                to++;
            }
            run(run(to - from == 1 ? 1 : most, length), texts, Arrays.copyOfRange(order, from, to), vectors);
            from = to;
        }
        return vectors;
    }

    /** The numbers of the texts, the shortest first. */
    private static int[] byLength(List<int[]> texts) {
        long[] keys = new long[texts.size()];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = ((long) texts.get(i).length << 32) | i;
        }
        Arrays.sort(keys);
        int[] order = new int[keys.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = (int) keys[i];
        }
        return order;
    }

    private static int lengthFor(int tokens) {
        int i = 0;
        while (LENGTHS.get(i) < tokens) {
            i++;
        }
        return LENGTHS.get(i);
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

    private static void run(Run run, List<int[]> texts, int[] places, float[][] vectors) {
        for (int i = 0; i < places.length; i++) {
            run.put(i, texts.get(places[i]));
        }
        run.run(places.length);
        for (int i = 0; i < places.length; i++) {
            run.get(i, vectors[places[i]]);
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
