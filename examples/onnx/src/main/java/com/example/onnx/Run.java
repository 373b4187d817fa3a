package com.example.onnx;

import io.devicearena.Batch;
import io.devicearena.DeviceArena;
import io.devicearena.NodeRole;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernel.StepTime;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.host.ArenaHostValues;
import io.devicearena.kernels.host.ThreadTeam;
import io.devicearena.onnx.graph.OnnxGraph;
import io.devicearena.onnx.graph.OnnxNode;

import io.devicearena.wgpu.kernel.Kernels;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Runs the steps of a graph: on the host one after the other, on a device as one program. It keeps the memory of inputs
 * and outputs, so that a run allocates none.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class Run {
    private final Map<String, Tensor> inputs = new LinkedHashMap<>();
    private final Map<String, Tensor> outputs = new LinkedHashMap<>();
    private final Runnable program;
    private final Supplier<List<StepTime>> times;

    /** Binds or records the steps; the weights are in the arena. */
    Run(OnnxGraph graph, List<KernelStep> steps, DeviceArena arena, ThreadTeam team) {
        Batch.Builder writing = Batch.builder();
        Batch.Builder reading = Batch.builder();
        graph.nodes().stream().filter(node -> node.role() == NodeRole.INPUT).forEach(node -> add(node, inputs, writing));
        graph.outputs().forEach(id -> add(graph.node(id), outputs, reading));
        Batch writes = writing.build();
        Batch reads = reading.build();
        Optional<Kernels> kernels = arena.unwrap(Kernels.class);
        if (kernels.isPresent()) {
            Recorder recorder = kernels.get().recorder();
            StepRecorder device = new StepRecorder(kernels.get(), recorder);
            steps.forEach(step -> step.record(device));
            KernelProgram recorded = recorder.build();
            program = () -> recorded.run(writes, reads);
            times = recorded::time;
        } else {
            ArenaHostValues host = new ArenaHostValues(arena, team);
            Runnable[] bound = steps.stream().map(step -> step.bind(host)).toArray(Runnable[]::new);
            program = () -> {
                arena.writeBatch(writes);
                for (Runnable step : bound) {
                    step.run();
                }
                arena.readBatch(reads);
            };
            times = () -> IntStream.range(0, bound.length)
                    .mapToObj(i -> {
                        long begin = System.nanoTime();
                        bound[i].run();
                        return new StepTime(steps.get(i).label(), "", steps.get(i).writes(), System.nanoTime() - begin);
                    })
                    .toList();
        }
    }

    private static void add(OnnxNode node, Map<String, Tensor> tensors, Batch.Builder batch) {
        Tensor tensor = Tensor.zeros(node.shape(), node.dtype());
        tensors.put(node.name(), tensor);
        batch.elements(node.id(), node.dtype(), tensor.data());
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
            throw new IllegalArgumentException("input '" + name + "': expected " + input.type() + input.shape() + ", got "
                    + value.type() + value.shape());
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
        program.run();
        return outputs;
    }

    /**
     * Measures the steps once more.
     *
     * @return the time of each
     * @throws UnsupportedOperationException if the device has no timestamps
     */
    public List<StepTime> times() {
        return times.get();
    }
}
