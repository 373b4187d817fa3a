package com.example.minilm;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.plan.FamilyPlan;
import io.devicearena.plan.PlanOptions;
import io.devicearena.wgpu.WgpuArena;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Sentence embeddings: one arena holds the weights once, and the values of each length in turn. */
public final class MiniLm implements AutoCloseable {
    /** The graph for one length; several threads may run it. */
    interface Execution {
        void run(int[] ids, float[] mask, float[] embedding);

        void close();
    }

    private final DeviceArena arena;
    private final TreeMap<Integer, Execution> byLength = new TreeMap<>();

    private MiniLm(DeviceArena arena) {
        this.arena = arena;
    }

    /**
     * Opens the model.
     *
     * @param model a safetensors file
     * @param matrices F32, F16 or I8; on the provider cpu F32 only
     * @param options provider, device and checks
     * @param lengths the sequence lengths: multiples of 4, at most 512
     * @return the model, to be closed
     */
    public static MiniLm open(Path model, DType matrices, ArenaOptions options, int... lengths) throws IOException {
        Map<String, Bert> graphs = new LinkedHashMap<>();
        Arrays.stream(lengths).forEach(length -> graphs.put(length + " tokens", new Bert(length, matrices)));
        ArenaDevice device = DeviceArenas.choose(options);
        FamilyPlan family =
                FamilyPlan.of(graphs, PlanOptions.forDevice(device).withDeclaredTypes());
        MiniLm opened = new MiniLm(DeviceArenas.open(family.shared(), options.withLabel("minilm")));
        try {
            Weights.load(model, graphs.values().iterator().next(), opened.arena);
            graphs.forEach((name, graph) -> {
                DeviceArena view = opened.arena.view(family.plan(name));
                opened.byLength.put(
                        graph.tokens,
                        view instanceof WgpuArena gpu ? new WgpuExecution(graph, gpu) : new CpuExecution(graph, view));
            });
            return opened;
        } catch (RuntimeException | IOException e) {
            opened.close();
            throw e;
        }
    }

    /** {@return the embedding of a sentence: 384 floats of length 1} */
    public float[] embed(int... ids) {
        Map.Entry<Integer, Execution> fitting = byLength.ceilingEntry(ids.length);
        if (fitting == null) {
            throw new IllegalArgumentException(
                    "ids: expected at most " + byLength.lastKey() + " tokens, got " + ids.length);
        }
        float[] mask = new float[fitting.getKey()];
        Arrays.fill(mask, 0, ids.length, 1);
        float[] embedding = new float[Bert.HIDDEN];
        fitting.getValue().run(Arrays.copyOf(ids, mask.length), mask, embedding);
        return embedding;
    }

    @Override
    public void close() {
        byLength.values().forEach(Execution::close);
        arena.close();
    }
}
