package com.example.llm.model;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import java.util.List;
import java.util.function.Consumer;

/**
 * A step on the host: what it reads and writes, and the code.
 *
 * @param label its name
 * @param reads values, weights and states
 * @param writes values and states
 * @param compute the code
 */
record Step(String label, List<NodeId> reads, List<NodeId> writes, Consumer<HostValues> compute) {
    static Step of(String label, KernelStep step) {
        return new Step(label, step.reads(), step.writes(), step::compute);
    }
}
