package com.example.minilm;

import io.devicearena.ArenaOptions;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.plan.FamilyPlan;
import io.devicearena.plan.PlanOptions;
import io.devicearena.wgpu.WgpuArena;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Sentence embeddings: one arena holds the weights once, and the values of each length in turn. */
public final class MiniLm implements AutoCloseable {
    /** Runs the graph for one length; any thread may call it. */
    interface Execution {
        void run(int[] ids, float[] mask, float[] embedding);
    }

    private final Deque<DeviceArena> arenas = new ArrayDeque<>();
    private final TreeMap<Integer, Execution> byLength = new TreeMap<>();

    /** Opens a safetensors file for lengths of 4 to 512 tokens, with matrices of F32, F16 or I8 (cpu: F32). */
    public MiniLm(Path model, DType matrices, ArenaOptions options, int... lengths) throws IOException {
        Map<String, Bert> graphs = new TreeMap<>();
        Arrays.stream(lengths).forEach(length -> graphs.put(length + " tokens", new Bert(length, matrices)));
        PlanOptions planning = PlanOptions.forDevice(DeviceArenas.choose(options)).withDeclaredTypes();
        FamilyPlan family = FamilyPlan.of(graphs, planning);
        try {
            DeviceArena shared = DeviceArenas.open(family.shared(), options.withLabel("minilm"));
            arenas.push(shared);
            Weights.load(model, graphs.values().iterator().next(), shared);
            for (Map.Entry<String, Bert> entry : graphs.entrySet()) {
                Bert graph = entry.getValue();
                DeviceArena view = shared.view(family.plan(entry.getKey()));
                arenas.push(view);
                byLength.put(graph.tokens, view instanceof WgpuArena gpu
                        ? new WgpuExecution(graph, gpu) : new CpuExecution(graph, view));
            }
        } catch (RuntimeException | IOException e) {
            close();
            throw e;
        }
    }

    /** {@return the embedding of a sentence: 384 floats of length 1} */
    public float[] embed(int... ids) {
        Map.Entry<Integer, Execution> fitting = byLength.ceilingEntry(ids.length);
        if (fitting == null) {
            throw new IllegalArgumentException("expected at most " + byLength.lastKey() + " ids, got " + ids.length);
        }
        float[] mask = new float[fitting.getKey()];
        Arrays.fill(mask, 0, ids.length, 1);
        float[] embedding = new float[Bert.HIDDEN];
        fitting.getValue().run(Arrays.copyOf(ids, mask.length), mask, embedding);
        double squares = IntStream.range(0, embedding.length).mapToDouble(i -> Math.pow(embedding[i], 2)).sum();
        for (int i = 0; i < embedding.length; i++) {
            embedding[i] /= (float) Math.sqrt(squares);
        }
        return embedding;
    }

    @Override
    public void close() {
        arenas.forEach(DeviceArena::close);
    }
}
