package com.example.mlp.engine;

import com.example.mlp.graph.Block;
import com.example.mlp.graph.Dense;
import com.example.mlp.graph.Network;
import com.example.mlp.graph.Weights;
import com.example.mlp.kernels.DenseKernel;
import com.example.mlp.kernels.Tuning;
import com.example.mlp.kernels.WeightLoad;
import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16Shadow;
import io.devicearena.F16ShadowMode;
import io.devicearena.MemoryPlan;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernel.Window;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanOptions;
import io.devicearena.wgpu.kernel.Kernels;

/**
 * Runs a network with kernels: one dispatch a layer, recorded once, and the readback of the output in the same
 * submission. With f16 weights the kernels read them from the arena's shadow.
 *
 * <p>A matrix that is larger than a segment of the arena or than a binding is divided into blocks of rows. Each block
 * has a dispatch of its own, which writes its rows of the output.
 */
public final class WgpuEngine implements Engine {
    /** Inputs that a workgroup computes together, so that a weight is loaded once for all of them. */
    private static final int TOKENS = 4;

    private final DeviceArena arena;
    private final Precision precision;
    private final KernelProgram program;
    private final Network network;

    /** Where the output lands; the batch is made again only for another array. */
    private float[] destination = new float[0];

    private Batch read = Batch.builder().build();

    private WgpuEngine(DeviceArena arena, Network network, Precision precision, KernelProgram program) {
        this.arena = arena;
        this.network = network;
        this.precision = precision;
        this.program = program;
    }

    /**
     * Plans a network, opens an arena of the provider {@code wgpu}, writes the weights into it and records the layers.
     *
     * @throws IllegalArgumentException if one row of a matrix is larger than a segment or a binding
     */
    public static WgpuEngine open(Network whole, Weights weights, int batch, Precision precision) {
        ArenaOptions options = ArenaOptions.defaults()
                .withProvider("wgpu")
                .withLabel("mlp-engine")
                .withF16Shadow(precision == Precision.F16 ? F16ShadowMode.ON_REQUEST : F16ShadowMode.OFF);
        ArenaDevice device = DeviceArenas.choose(options);
        ArenaLimits limits = device.limits();
        Network network = whole.inBlocks(Math.min(limits.maxSegmentBytes(), limits.maxBindingBytes()));
        MemoryPlan plan = MemoryPlanner.plan(network.graph(batch, DType.F32), PlanOptions.forDevice(device))
                .plan();
        DeviceArena arena = DeviceArenas.open(plan, options);
        try {
            load(arena, network, weights, precision);
            return new WgpuEngine(arena, network, precision, record(arena.unwrap(Kernels.class).orElseThrow(), network, batch, precision));
        } catch (RuntimeException | Error e) {
            arena.close();
            throw e;
        }
    }

    private static void load(DeviceArena arena, Network network, Weights weights, Precision precision) {
        for (int l = 0; l < network.layers().size(); l++) {
            Dense layer = network.layers().get(l);
            for (Block block : layer.blocks()) {
                arena.writeInputF32(block.id(), DType.F32, weights.rows(layer, l, block));
                if (precision == Precision.F16) {
                    arena.unwrap(F16Shadow.class).orElseThrow().refresh(block.id());
                }
            }
            arena.writeInputF32(layer.bias(), DType.F32, weights.biases().get(l));
        }
    }

    private static KernelProgram record(Kernels kernels, Network network, int batch, Precision precision) {
        Recorder recorder = kernels.recorder();
        WeightLoad format = precision == Precision.F32
                ? WeightLoad.F32
                : kernels.facts().hasShaderF16() ? WeightLoad.F16 : WeightLoad.F16_PACKED;
        for (Dense layer : network.layers()) {
            Window bias = kernels.window(layer.bias());
            Window x = kernels.window(layer.x());
            Window y = kernels.window(layer.y());
            for (Block block : layer.blocks()) {
                DenseKernel dense = new DenseKernel(
                        format,
                        Tuning.usual(format),
                        block.rows(),
                        layer.inputs(),
                        Math.min(batch, TOKENS),
                        layer.relu());
                Window weights = format.isHalf() ? kernels.shadowWindow(block.id()) : kernels.window(block.id());
                long firstRow = (long) block.firstRow() * Float.BYTES;
                recorder.dispatch(
                        kernels.compile(dense.source(
                                weights.offsetOf(block.id()),
                                bias.offsetOf(layer.bias()) + firstRow,
                                x.offsetOf(layer.x()),
                                y.offsetOf(layer.y()) + firstRow,
                                layer.outputs(),
                                batch)),
                        Bindings.of(weights, bias, x, y),
                        dense.workgroups(batch));
            }
        }
        return recorder.build();
    }

    @Override
    public void forward(float[] x, float[] y) {
        arena.writeInputF32(Network.INPUT, DType.F32, x);
        if (destination != y) {
            destination = y;
            read = Batch.builder().floats(network.output(), DType.F32, y).build();
        }
        program.run(read);
    }

    @Override
    public long bytes() {
        return arena.sizeBytes()
                + (precision == Precision.F16 ? arena.unwrap(F16Shadow.class).orElseThrow().sizeBytes() : 0);
    }

    @Override
    public String device() {
        return arena.device().name();
    }

    @Override
    public void close() {
        arena.close();
    }
}
