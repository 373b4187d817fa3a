package com.example.embeddings.steps;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import java.util.List;

/**
 * The layer norm of a product, its bias and the rows before it.
 *
 * @param out F32 [rows][384]
 * @param product F32 [rows][384]
 * @param productBias F32 [384]
 * @param before F32 [rows][384]
 * @param weight of the norm
 * @param bias of the norm
 * @param shape of the batch
 */
public record SumNorm(
        NodeId out, NodeId product, NodeId productBias, NodeId before, NodeId weight, NodeId bias, BatchShape shape)
        implements KernelStep {
    @Override
    public String label() {
        return "sum-norm";
    }

    @Override
    public List<NodeId> reads() {
        return List.of(product, productBias, before, weight, bias, shape.cursor());
    }

    @Override
    public List<NodeId> writes() {
        return List.of(out);
    }

    @Override
    public void record(StepRecorder device) {
        norm().record(device, "sum", product, productBias, before);
    }

    @Override
    public void compute(HostValues host) {
        norm().compute(host, (row, to, second, third) -> {
            int columns = NormOf.COLUMNS;
            Floats.read(host, product, (long) row * columns, to, 0, columns);
            Floats.read(host, productBias, 0, second, 0, columns);
            Floats.read(host, before, (long) row * columns, third, 0, columns);
            for (int c = 0; c < columns; c++) {
                to[c] += second[c] + third[c];
            }
        });
    }

    private NormOf norm() {
        return new NormOf(out, weight, bias, shape);
    }
}
