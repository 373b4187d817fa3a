package com.example.embeddings.steps;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import java.util.List;

/**
 * The layer norm of the sum of three rows: of the token, of its place, and of the first text.
 *
 * @param out F32 [rows][384]
 * @param words F32 [tokens][384]
 * @param places F32 [places][384]
 * @param types F32 [2][384]
 * @param weight of the norm
 * @param bias of the norm
 * @param shape of the batch
 */
public record EmbeddingNorm(
        NodeId out, NodeId words, NodeId places, NodeId types, NodeId weight, NodeId bias, BatchShape shape)
        implements KernelStep {
    @Override
    public String label() {
        return "embedding";
    }

    @Override
    public List<NodeId> reads() {
        return List.of(words, places, types, weight, bias, shape.ids(), shape.cursor());
    }

    @Override
    public List<NodeId> writes() {
        return List.of(out);
    }

    @Override
    public void record(StepRecorder device) {
        norm().record(device, "embedding", words, places, types, shape.ids());
    }

    @Override
    public void compute(HostValues host) {
        norm().compute(host, (row, to, second, third) -> {
            int columns = NormOf.COLUMNS;
            Floats.read(host, words, (long) Floats.word(host, shape.ids(), row) * columns, to, 0, columns);
            Floats.read(host, places, (long) row % shape.length() * columns, second, 0, columns);
            Floats.read(host, types, 0, third, 0, columns);
            for (int c = 0; c < columns; c++) {
                to[c] += second[c] + third[c];
            }
        });
    }

    private NormOf norm() {
        return new NormOf(out, weight, bias, shape);
    }
}
