package com.example.mlp.engine;

import com.example.mlp.graph.Block;
import com.example.mlp.graph.Dense;
import com.example.mlp.graph.Network;
import com.example.mlp.graph.Weights;
import io.devicearena.ArenaOptions;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanOptions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Runs a network on the arena's own bytes, which are host memory: no copy between a value and its use. Weights are
 * declared as f16 when they are to be f16, so the plan gives them half the bytes.
 */
public final class CpuEngine implements Engine {
    private final Network network;
    private final int batch;
    private final DType type;
    private final DeviceArena arena;
    private final MemorySegment bytes;

    private CpuEngine(Network network, int batch, DType type, DeviceArena arena) {
        this.network = network;
        this.batch = batch;
        this.type = type;
        this.arena = arena;
        this.bytes = arena.unwrap(MemorySegment.class).orElseThrow();
    }

    /** Plans a network, opens an arena of the provider {@code cpu} and writes the weights into it. */
    public static CpuEngine open(Network network, Weights weights, int batch, Precision precision) {
        DType type = precision == Precision.F16 ? DType.F16 : DType.F32;
        ArenaOptions options = ArenaOptions.defaults().withProvider("cpu").withLabel("mlp-engine");
        PlanOptions forDevice = PlanOptions.forDevice(DeviceArenas.choose(options)).withDeclaredTypes();
        MemoryPlan plan = MemoryPlanner.plan(network.graph(batch, type), forDevice).plan();
        DeviceArena arena = DeviceArenas.open(plan, options);
        for (int l = 0; l < network.layers().size(); l++) {
            Dense layer = network.layers().get(l);
            for (Block block : layer.blocks()) {
                arena.writeInputF32(block.id(), type, weights.rows(layer, l, block));
            }
            arena.writeInputF32(layer.bias(), DType.F32, weights.biases().get(l));
        }
        return new CpuEngine(network, batch, type, arena);
    }

    @Override
    public void forward(float[] x, float[] y) {
        arena.writeInputF32(Network.INPUT, DType.F32, x);
        for (Dense layer : network.layers()) {
            for (Block block : layer.blocks()) {
                compute(layer, block);
            }
        }
        arena.readOutputF32(network.output(), DType.F32, y);
    }

    private void compute(Dense layer, Block block) {
        MemorySegment input = value(layer.x(), (long) batch * layer.inputs() * Float.BYTES);
        MemorySegment weights = value(block.id(), (long) block.rows() * layer.inputs() * type.bytes());
        MemorySegment bias = value(layer.bias(), (long) layer.outputs() * Float.BYTES);
        MemorySegment output = value(layer.y(), (long) batch * layer.outputs() * Float.BYTES);
        for (int b = 0; b < batch; b++) {
            for (int r = 0; r < block.rows(); r++) {
                int row = block.firstRow() + r;
                float sum = product(layer, weights, r, input, b) + bias.getAtIndex(ValueLayout.JAVA_FLOAT, row);
                output.setAtIndex(
                        ValueLayout.JAVA_FLOAT,
                        (long) b * layer.outputs() + row,
                        layer.relu() ? Math.max(sum, 0) : sum);
            }
        }
    }

    private MemorySegment value(NodeId id, long length) {
        return bytes.asSlice(arena.byteOffset(id).orElseThrow(), length);
    }

    private float product(Dense layer, MemorySegment weights, int row, MemorySegment input, int b) {
        long w = (long) row * layer.inputs();
        long x = (long) b * layer.inputs();
        float sum = 0;
        if (type == DType.F16) {
            for (int c = 0; c < layer.inputs(); c++) {
                float weight = Float.float16ToFloat(weights.getAtIndex(ValueLayout.JAVA_SHORT, w + c));
                sum = Math.fma(weight, input.getAtIndex(ValueLayout.JAVA_FLOAT, x + c), sum);
            }
        } else {
            for (int c = 0; c < layer.inputs(); c++) {
                float weight = weights.getAtIndex(ValueLayout.JAVA_FLOAT, w + c);
                sum = Math.fma(weight, input.getAtIndex(ValueLayout.JAVA_FLOAT, x + c), sum);
            }
        }
        return sum;
    }

    @Override
    public long bytes() {
        return arena.sizeBytes();
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
