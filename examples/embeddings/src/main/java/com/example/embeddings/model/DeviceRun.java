package com.example.embeddings.model;

import com.example.embeddings.steps.BatchShape;
import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernel.StepTime;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.wgpu.kernel.Kernels;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Runs the steps as kernels, recorded once: inputs, steps and output are one submission. */
public final class DeviceRun extends Run {
    private final KernelProgram program;
    private final Batch writes;
    private final Batch reads;

    /**
     * Records the program.
     *
     * @param graph what is run
     * @param kernels of the arena with its values; the program is closed with it
     */
    public DeviceRun(MiniLmGraph graph, Kernels kernels) {
        super(graph);
        Recorder recorder = kernels.recorder();
        StepRecorder device = new StepRecorder(kernels, recorder);
        graph.steps().forEach(step -> step.record(device));
        program = recorder.build();
        BatchShape batch = graph.batch();
        writes = Batch.builder()
                .elements(batch.ids(), DType.U32, MemorySegment.ofArray(ids))
                .elements(batch.spans(), DType.U32, MemorySegment.ofArray(spans))
                .elements(batch.ranges(), DType.U32, MemorySegment.ofArray(ranges))
                .elements(batch.cursor(), DType.U32, MemorySegment.ofArray(cursor))
                .build();
        reads = Batch.builder()
                .floats(graph.vectors(), DType.F32, vectors)
                .build();
    }

    @Override
    void compute() {
        program.run(writes, reads);
    }

    @Override
    public List<StepTime> times() {
        return program.time();
    }
}
