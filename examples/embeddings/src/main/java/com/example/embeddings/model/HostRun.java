package com.example.embeddings.model;

import io.devicearena.NodeId;
import io.devicearena.kernel.StepTime;
import io.devicearena.kernels.HostValues;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Computes the steps in the memory of the arena. */
public final class HostRun extends Run {
    private final HostValues host;
    private final Runnable[] steps;

    /**
     * Makes the run, and copies of the matrices that are fast to multiply: the weights are loaded before.
     *
     * @param graph what is run
     * @param host its values
     */
    public HostRun(MiniLmGraph graph, HostValues host) {
        super(graph);
        this.host = host;
        this.steps = graph.steps().stream().map(step -> step.bind(host)).toArray(Runnable[]::new);
    }

    @Override
    void compute() {
        write(graph.batch().ids(), ids);
        write(graph.batch().spans(), spans);
        write(graph.batch().ranges(), ranges);
        write(graph.batch().cursor(), cursor);
        for (Runnable step : steps) {
            step.run();
        }
        MemorySegment.copy(host.bytes(graph.vectors()), ValueLayout.JAVA_FLOAT, 0, vectors, 0, vectors.length);
    }

    @Override
    public List<StepTime> times() {
        return List.of();
    }

    private void write(NodeId id, int... words) {
        MemorySegment.copy(words, 0, host.bytes(id), ValueLayout.JAVA_INT, 0, words.length);
    }
}
