package com.example.llm.model;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import java.util.List;
import java.util.function.Function;

/**
 * A step on the host: what it reads and writes, and the code.
 *
 * @param label its name
 * @param reads values, weights and states
 * @param writes values and states
 * @param bind the code, bound to the values that it works on
 */
record Step(String label, List<NodeId> reads, List<NodeId> writes, Function<HostValues, Runnable> bind) {
    static Step of(String label, KernelStep step) {
        return new Step(label, step.reads(), step.writes(), step::bind);
    }
}
