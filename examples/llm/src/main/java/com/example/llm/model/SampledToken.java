package com.example.llm.model;

import com.example.llm.ModelException;
import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * Chooses a token by chance, on the host alone, and moves the cursor on.
 *
 * @param logits F32 [vocabulary]
 * @param vocabulary how many
 * @param cursor which the choice moves on
 * @param sampling how to choose
 */
record SampledToken(NodeId logits, int vocabulary, NodeId cursor, Sampling sampling) implements KernelStep {
    @Override
    public String label() {
        return "sampling";
    }

    @Override
    public List<NodeId> reads() {
        return List.of(logits, cursor);
    }

    @Override
    public List<NodeId> writes() {
        return List.of(cursor);
    }

    @Override
    public void record(StepRecorder device) {
        throw new ModelException("--top-k: expected 1 to " + Sampling.MOST_ON_DEVICE
                + " with a temperature above 0 on this device, got " + sampling.topK() + "; or use --provider cpu");
    }

    @Override
    public void compute(HostValues host) {
        float[] all = new float[vocabulary];
        MemorySegment.copy(host.bytes(logits), ValueLayout.JAVA_FLOAT, 0, all, 0, vocabulary);
        MemorySegment words = host.bytes(cursor);
        Cursor at = Cursor.read(words);
        int token = sampling.choose(all, at.generated());
        new Cursor(at.position() + at.count(), 1, token, at.generated() + 1).write(words);
    }
}
