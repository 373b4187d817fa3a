package com.example.llm.model;

import com.example.llm.ModelException;
import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.NodeRole;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.kernels.host.ArenaHostValues;
import io.devicearena.kernels.host.ThreadTeam;
import io.devicearena.plan.FamilyPlan;
import io.devicearena.plan.PlanOptions;
import io.devicearena.weights.WeightFile;
import io.devicearena.weights.WeightLoader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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

    private final LanguageGraph prefill;
    private final LanguageGraph decode;
    private final int rows;
    private final int context;
    private final FamilyPlan family;
    private final DeviceArena arena;
    private final List<DeviceArena> views = new ArrayList<>();
    private final ThreadTeam team;
    private final ArenaHostValues prefillValues;
    private final ArenaHostValues decodeValues;
    private final List<Runnable> prefillSteps;
    private final List<Runnable> decodeSteps;
    private LanguageGraph last;
    private int position;

    /**
     * Plans the graphs, opens an arena and loads the weights.
     *
     * @param file an open GGUF file
     * @param options of the arena, whose memory must be the host's
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
        this.rows = rows;
        this.context = context;
        prefill = new LanguageGraph(config, file, rows, rows, context, sampling);
        decode = new LanguageGraph(config, file, 1, rows, context, sampling);
        last = prefill;
        ArenaDevice device = DeviceArenas.choose(options);
        Map<String, LanguageGraph> graphs = new LinkedHashMap<>();
        graphs.put(PREFILL, prefill);
        graphs.put(DECODE, decode);
        family = FamilyPlan.of(graphs, PlanOptions.forDevice(device).withDeclaredTypes());
        requireRoom(device, family.arenaBytes());
        arena = DeviceArenas.open(family.shared(), options.withLabel("llm"));
        team = new ThreadTeam(Runtime.getRuntime().availableProcessors());
        try {
            WeightLoader.of(file, arena).load();
            prefillValues = new ArenaHostValues(view(PREFILL), team);
            decodeValues = new ArenaHostValues(view(DECODE), team);
            prefillSteps = prefill.steps().stream().map(step -> step.bind().apply(prefillValues)).toList();
            decodeSteps = decode.steps().stream().map(step -> step.bind().apply(decodeValues)).toList();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private DeviceArena view(String graph) {
        DeviceArena view = arena.view(family.plan(graph));
        views.add(view);
        return view;
    }

    private static void requireRoom(ArenaDevice device, long bytes) {
        DeviceArenas.freeBytes(device).ifPresent(free -> {
            if (free < bytes) {
                throw new ModelException("device: expected " + bytes + " free bytes on " + device.name() + ", got " + free
                        + "; use a smaller --context or another --provider");
            }
        });
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

    /**
     * Adds tokens to the sequence, and chooses the next.
     *
     * @param tokens 1 or more, each of the vocabulary
     * @return the chosen token, which is not in the sequence yet
     * @throws ModelException if there are none, or more than the context has room for
     */
    public int prefill(int... tokens) {
        if (tokens.length == 0 || tokens.length > context - position) {
            throw new ModelException("prompt: expected 1 to " + (context - position) + " tokens, the rest of the context, got "
                    + tokens.length);
        }
        last = prefill;
        for (int from = 0; from < tokens.length; from += rows) {
            int count = Math.min(rows, tokens.length - from);
            MemorySegment to = prefillValues.bytes(prefill.tokens.orElseThrow());
            MemorySegment.copy(tokens, from, to, ValueLayout.JAVA_INT, 0, count);
            new Cursor(position, count, 0, 0).write(prefillValues, prefill.cursor);
            prefillSteps.forEach(Runnable::run);
            position += count;
        }
        return Cursor.read(prefillValues, prefill.cursor).token();
    }

    /**
     * Adds the token that was chosen last, and chooses the next.
     *
     * @return the chosen token
     * @throws ModelException if the context is full
     */
    public int next() {
        if (position >= context) {
            throw new ModelException("context: expected room for a token, got " + context + " of " + context + " tokens");
        }
        last = decode;
        decodeSteps.forEach(Runnable::run);
        position++;
        return Cursor.read(decodeValues, decode.cursor).token();
    }

    /** {@return the logits of the last run, one for each token} */
    public float[] logits() {
        return last.logits(last == prefill ? prefillValues : decodeValues);
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
                .mapToLong(node -> node.elements() * node.dtype().bytes())
                .sum();
    }

    /** {@return all other bytes of the arena} */
    public long activationBytes() {
        return family.arenaBytes() - weightBytes() - stateBytes();
    }

    @Override
    public void close() {
        team.close();
        views.forEach(DeviceArena::close);
        arena.close();
    }
}
