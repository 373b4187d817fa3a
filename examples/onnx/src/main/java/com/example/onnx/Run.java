package com.example.onnx;

import io.devicearena.Batch;
import io.devicearena.DeviceArena;
import io.devicearena.NodeRole;
import io.devicearena.kernel.StepTime;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepProgram;
import io.devicearena.kernels.host.ArenaHostValues;
import io.devicearena.kernels.host.ThreadTeam;
import io.devicearena.onnx.graph.OnnxGraph;
import io.devicearena.onnx.graph.OnnxNode;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Runs the steps of a graph. It keeps the memory of inputs and outputs, so that a run allocates none.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class Run {
    private final Map<String, Tensor> inputs = new LinkedHashMap<>();
    private final Map<String, Tensor> outputs = new LinkedHashMap<>();
    private final Batch writes;
    private final Batch reads;
    private final StepProgram program;

    /** Binds or records the steps; the weights are in the arena. */
    Run(OnnxGraph graph, List<KernelStep> steps, DeviceArena arena, ThreadTeam team) {
        writes = batch(graph.nodes().stream().filter(node -> node.role() == NodeRole.INPUT), inputs);
        reads = batch(graph.outputs().stream().map(graph::node), outputs);
        program = new StepProgram(arena, steps, () -> new ArenaHostValues(arena, team));
    }

    private static Batch batch(Stream<OnnxNode> nodes, Map<String, Tensor> tensors) {
        Batch.Builder batch = Batch.builder();
        nodes.forEach(node -> {
            Tensor tensor = Tensor.zeros(node.shape(), node.dtype());
            tensors.put(node.name(), tensor);
            batch.elements(node.id(), node.dtype(), tensor.data());
        });
        return batch.build();
    }

    /** {@return the inputs by name: memory that the next run reads} */
    public Map<String, Tensor> inputs() {
        return Collections.unmodifiableMap(inputs);
    }

    /**
     * Sets an input.
     *
     * @param name its name
     * @param value its numbers
     * @throws IllegalArgumentException if the model has no such input, or its shape or type is another
     */
    public void set(String name, Tensor value) {
        Tensor input = inputs.get(name);
        if (input == null) {
            throw new IllegalArgumentException("input: expected one of " + inputs.keySet() + ", got '" + name + "'");
        }
        if (!input.shape().equals(value.shape()) || input.type() != value.type()) {
            throw new IllegalArgumentException("input '" + name + "': expected " + input.type() + input.shape()
                    + ", got " + value.type() + value.shape());
        }
        MemorySegment.copy(value.data(), 0, input.data(), 0, input.data().byteSize());
    }

    /**
     * Computes the outputs.
     *
     * @return the outputs by name, in the order of the model: memory that the next run overwrites
     * @throws io.devicearena.DeviceException if the device fails
     */
    public Map<String, Tensor> run() {
        program.run(writes, reads);
        return outputs;
    }

    /**
     * Measures the steps once more.
     *
     * @return the time of each
     * @throws UnsupportedOperationException if the device has no timestamps
     */
    public List<StepTime> times() {
        return program.time();
    }
}
