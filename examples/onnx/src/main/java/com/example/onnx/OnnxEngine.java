package com.example.onnx;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.host.ThreadTeam;
import io.devicearena.onnx.OnnxModel;
import io.devicearena.onnx.graph.OnnxGraph;
import io.devicearena.onnx.graph.OnnxWeights;
import io.devicearena.plan.FamilyPlan;
import io.devicearena.plan.PlanOptions;
import io.devicearena.weights.WeightLoader;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs a model at one or more sizes of its inputs. One arena has the weights once, and the other values of one size at
 * a time.
 *
 * <p><b>Threads:</b> one thread at a time.
 *
 * <p><b>Lifetime:</b> until {@link #close}.
 */
public final class OnnxEngine implements AutoCloseable {
    private final Deque<Runnable> closings = new ArrayDeque<>();
    private final List<Run> runs = new ArrayList<>();
    private final DeviceArena arena;

    /**
     * Opens a model.
     *
     * @param file an ONNX file
     * @param sizes the free dimensions of the inputs by name, for each size: 1 or more, at best the largest first
     * @param options of the arena: the provider {@code cuda} or {@code wgpu}, or one whose memory is the host's
     * @throws io.devicearena.onnx.graph.OnnxException if the file is no valid model
     * @throws IllegalArgumentException if it has operators that are not computed here, or the sizes are not those of
     *     its free dimensions
     */
    public OnnxEngine(Path file, List<Map<String, Long>> sizes, ArenaOptions options) {
        try (OnnxModel model = OnnxModel.open(file)) {
            Map<String, Fusion.Fused> fused = new LinkedHashMap<>();
            sizes.forEach(size -> fused.put("size " + fused.size(), Fusion.of(model.graph(size).narrowed())));
            Map<String, OnnxGraph> graphs = new LinkedHashMap<>();
            fused.forEach((name, all) -> graphs.put(name, all.graph()));
            ArenaDevice device = DeviceArenas.choose(options);
            FamilyPlan family = FamilyPlan.of(graphs, PlanOptions.forDevice(device).withDeclaredTypes());
            Map<String, List<KernelStep>> steps = new LinkedHashMap<>();
            fused.forEach((name, graph) -> steps.put(name, Operators.steps(graph, family.plan(name))));
            arena = DeviceArenas.open(family.shared(), options.withLabel("onnx"));
            closings.push(arena::close);
            try {
                ThreadTeam team = new ThreadTeam(Runtime.getRuntime().availableProcessors());
                closings.push(team::close);
                WeightLoader.of(OnnxWeights.of(file, graphs.values()), arena).load();
                graphs.forEach((name, graph) -> {
                    DeviceArena view = arena.view(family.plan(name));
                    closings.push(view::close);
                    runs.add(new Run(graph, steps.get(name), view, team));
                });
            } catch (RuntimeException | Error e) {
                close();
                throw e;
            }
        }
    }

    /**
     * Returns what runs the model at one of its sizes.
     *
     * @param size the number of the size, in the order of the constructor
     * @return the run
     */
    public Run run(int size) {
        return runs.get(size);
    }

    /** {@return the memory of all sizes, closed with the engine} */
    public DeviceArena arena() {
        return arena;
    }

    @Override
    public void close() {
        while (!closings.isEmpty()) {
            closings.pop().run();
        }
    }
}
