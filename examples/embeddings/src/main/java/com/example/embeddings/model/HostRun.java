package com.example.embeddings.model;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Computes the steps in the memory of the arena. */
public final class HostRun extends Run {
    private final HostValues host;

    /**
     * Makes the run.
     *
     * @param graph what is run
     * @param host its values
     */
    public HostRun(MiniLmGraph graph, HostValues host) {
        super(graph);
        this.host = host;
    }

    @Override
    void compute() {
        write(graph.batch().ids(), ids);
        write(graph.batch().lengths(), lengths);
        write(graph.batch().cursor(), cursor);
        for (KernelStep step : graph.steps()) {
            step.compute(host);
        }
        MemorySegment.copy(host.bytes(graph.vectors()), ValueLayout.JAVA_FLOAT, 0, vectors, 0, vectors.length);
    }

    private void write(NodeId id, int... words) {
        MemorySegment.copy(words, 0, host.bytes(id), ValueLayout.JAVA_INT, 0, words.length);
    }
}
