package com.example.llm.model;

import com.example.llm.ModelException;
import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.DeviceArena;
import io.devicearena.F16ShadowMode;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeRole;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.kernel.StepTime;
import io.devicearena.plan.FamilyPlan;
import io.devicearena.plan.PlanOptions;
import io.devicearena.weights.LoadReport;
import io.devicearena.weights.WeightFile;
import io.devicearena.weights.WeightLoader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs a model: one arena has the weights, the caches and the cursor once, and the values of a run over many tokens
 * (prefill) and over one (decode) in turn.
 *
 * <p><b>Threads:</b> one thread at a time.
 *
 * <p><b>Lifetime:</b> until {@link #close}. The file may be closed once the engine is made.
 */
public final class Engine implements AutoCloseable {
    private static final String PREFILL = "prefill";
    private static final String DECODE = "decode";

    /** An arena of it makes a driver start to work while the plan of the model is made. */
    private static final MemoryPlan SMALLEST = new MemoryPlan(256, Map.of(), List.of());

    private final LanguageGraph prefill;
    private final LanguageGraph decode;
    private final int rows;
    private final int context;
    private final FamilyPlan family;
    private final ArenaDevice device;
    private final DeviceArena arena;
    private final List<DeviceArena> views = new ArrayList<>();
    private Execution execution;
    private boolean decoded;
    private int position;
    private int generated;
    private int chosen;

    /**
     * Plans the graphs, opens an arena, compiles the kernels if it is a device's, and loads the weights.
     *
     * @param file an open GGUF file
     * @param options of the arena
     * @param context the longest sequence of tokens, 1 to the model's
     * @param rows the most tokens of a prefill run, 2 or more
     * @param sampling how tokens are chosen
     * @throws ModelException if the model is none that this engine runs, or does not fit the device
     */
    public Engine(WeightFile file, ArenaOptions options, int context, int rows, Sampling sampling) {
        ModelConfig config = ModelConfig.of(file);
        if (context < 1 || context > config.contextRows()) {
            throw new ModelException(
                    "context: expected 1 to " + config.contextRows() + " tokens, as the model was made for, got " + context);
        }
        this.rows = Math.max(2, Math.min(rows, context));
        this.context = context;
        int cacheContext = Math.max(2, context);
        Background<DeviceArena> first = Background.start("llm-first", () -> DeviceArenas.open(SMALLEST, options));
        try {
            prefill = new LanguageGraph(config, file, this.rows, this.rows, cacheContext, sampling);
            decode = new LanguageGraph(config, file, 1, this.rows, cacheContext, sampling);
            Map<String, LanguageGraph> graphs = new LinkedHashMap<>();
            graphs.put(PREFILL, prefill);
            graphs.put(DECODE, decode);
            device = DeviceArenas.choose(options);
            family = FamilyPlan.of(graphs, PlanOptions.forDevice(device).withDeclaredTypes());
            requireCache(device.name(), device.limits().maxBindingBytes(), prefill.largestStateBytes());
            arena = open(options);
        } finally {
            first.get().close();
        }
        try {
            WeightLoader loader = WeightLoader.of(file, arena);
            Background<LoadReport> weights = Background.start("llm-weights", loader::load); // while kernels are compiled
            DeviceArena prefillView = view(PREFILL);
            DeviceArena decodeView = view(DECODE);
            execution = DeviceExecution.runsOn(arena)
                    ? new DeviceExecution(prefill, prefillView, decode, decodeView)
                    : new HostExecution(prefill, prefillView, decode, decodeView);
            weights.get();
            if (execution instanceof DeviceExecution onDevice) {
                onDevice.warmUp();
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private DeviceArena open(ArenaOptions options) {
        try {
            return DeviceArenas.open(family.shared(), options.withF16Shadow(F16ShadowMode.OFF).withLabel("llm"));
        } catch (ArenaOutOfMemoryException | IllegalArgumentException e) { // more than is free, or than there is
            throw new ModelException(e.getMessage() + "; use a smaller --context or another --provider", e);
        }
    }

    private DeviceArena view(String graph) {
        DeviceArena view = arena.view(family.plan(graph));
        views.add(view);
        return view;
    }

    /** A kernel reads a cache through one binding; weights are read in parts. */
    static void requireCache(String name, long mostBytes, long bytes) {
        if (mostBytes < bytes) {
            throw new ModelException("device: expected caches of at most " + mostBytes + " bytes on " + name + ", got " + bytes
                    + "; use a smaller --context or another --provider");
        }
    }

    /** {@return how many tokens the sequence has} */
    public int position() {
        return position;
    }

    /** {@return how many tokens the sequence can have} */
    public int context() {
        return context;
    }

    /** {@return the number of tokens of the model} */
    public int vocabulary() {
        return prefill.vocabulary;
    }

    /** {@return the device that runs the model} */
    public ArenaDevice device() {
        return device;
    }

    /** Begins an empty sequence. */
    public void restart() {
        position = 0;
    }

    /**
     * Adds tokens to the sequence, and chooses the next.
     *
     * @param tokens 1 or more, each of the vocabulary
     * @return the chosen token, which is not in the sequence yet
     * @throws ModelException if there are none, one is not of the vocabulary, or there are more than the context has
     *     room for
     */
    public int prefill(int... tokens) {
        if (tokens.length == 0 || tokens.length > context - position) {
            throw new ModelException("prompt: expected 1 to " + (context - position) + " tokens, the rest of the context, got "
                    + tokens.length);
        }
        for (int token : tokens) {
            if (token < 0 || token >= prefill.vocabulary) {
                throw new ModelException("prompt: expected tokens of 0 to " + (prefill.vocabulary - 1) + ", got " + token);
            }
        }
        decoded = false;
        for (int from = 0; from < tokens.length; from += rows) {
            int count = Math.min(rows, tokens.length - from);
            chosen = execution.prefill(tokens, from, new Cursor(position, count, 0, 0));
            position += count;
        }
        generated = 1;
        return chosen;
    }

    /**
     * Adds the token that was chosen last, and chooses the next.
     *
     * @return the chosen token
     * @throws ModelException if the context is full
     */
    public int next() {
        generate(1, token -> true);
        return chosen;
    }

    /**
     * Adds the token that was chosen last, chooses the next, and so on. On a device, steps are submitted before the
     * tokens of earlier ones have arrived.
     *
     * <p>Steps behind that of the last wanted token are discarded. Each wrote the caches at positions from the end of
     * the sequence on, where later tokens write again before they are read. A row of a ring that it overwrote was out
     * of every window: a ring has as many rows more than the window as there are steps ahead, or more.
     *
     * @param most steps, 0 or more
     * @param sink receives each token, in order; false ends it
     * @throws ModelException if the context is full before {@code most} steps or the end
     */
    public void generate(int most, TokenSink sink) {
        int begun = 0;
        int done = 0;
        try {
            for (boolean going = true; going && done < most; ) {
                while (begun < most && begun - done < execution.ahead() && position + (begun - done) < context) {
                    execution.begin(begun % execution.ahead());
                    begun++;
                }
                if (begun == done) {
                    throw new ModelException(
                            "context: expected room for a token, got " + context + " of " + context + " tokens");
                }
                chosen = execution.token(done % execution.ahead());
                done++;
                position++;
                generated++;
                decoded = true;
                going = sink.accept(chosen);
            }
        } finally {
            if (done < begun) {
                while (done < begun) {
                    execution.token(done % execution.ahead());
                    done++;
                }
                execution.set(new Cursor(position, 1, chosen, generated));
            }
        }
    }

    /** {@return the logits of the last run whose steps were not discarded: of prefill or of {@link #next}} */
    public float[] logits() {
        return execution.logits(!decoded);
    }

    /** {@return the microseconds of each dispatch of a decode step by name, summed; empty on the host} */
    public Map<String, Double> decodeTimes() {
        Map<String, Double> sums = new LinkedHashMap<>();
        if (execution instanceof DeviceExecution onDevice) {
            for (StepTime time : onDevice.times()) {
                sums.merge(time.label(), time.nanos() / 1e3, Double::sum);
            }
        }
        return sums;
    }

    /** {@return the bytes of the weights in the arena} */
    public long weightBytes() {
        return bytes(false);
    }

    /** {@return the bytes of caches and cursor} */
    public long stateBytes() {
        return bytes(true);
    }

    private long bytes(boolean states) {
        return prefill.nodes().stream()
                .filter(node -> node.role().isShared() && states == (node.role() == NodeRole.STATE))
                .mapToLong(LanguageGraph.Node::bytes)
                .sum();
    }

    /** {@return all other bytes of the arena} */
    public long activationBytes() {
        return family.arenaBytes() - weightBytes() - stateBytes();
    }

    @Override
    public void close() {
        if (execution != null) {
            execution.close();
        }
        views.forEach(DeviceArena::close);
        arena.close();
    }
}
