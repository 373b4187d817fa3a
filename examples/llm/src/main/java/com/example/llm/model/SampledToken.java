package com.example.llm.model;

import com.example.llm.ModelException;
import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import java.lang.foreign.MemorySegment;
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
    public Runnable bind(HostValues host) {
        MemorySegment in = host.bytes(logits);
        MemorySegment words = host.bytes(cursor);
        TokenDraw draw = new TokenDraw(sampling, vocabulary);
        return () -> Cursor.advance(words, draw.choose(in, Cursor.generated(words)));
    }
}
