package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.CudaStep;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.StepRecorder;
import java.util.List;

/**
 * A product of an input with packed weights. The products differ in their inputs and in what becomes of the sums; all
 * are one kernel, and one loop of the host.
 *
 * <p>A sum of n products, in any order, is off by at most (n + k) u Σ|w x|, with u = 2<sup>-24</sup> and k operations
 * before each product: 4 of a plain input, n + 40 of a normed one.
 *
 * <p><b>Threads:</b> immutable.
 */
public sealed interface ProductStep extends CudaStep
        permits Product, GatedProduct, NormedProduct, NormedGatedProduct, AttentionProduct {
    @Override
    default String label() {
        return ProductKernel.of(this).label();
    }

    @Override
    default List<NodeId> reads() {
        return ProductKernel.of(this).reads();
    }

    @Override
    default List<NodeId> writes() {
        return ProductKernel.of(this).writes();
    }

    @Override
    default void record(StepRecorder device) {
        ProductKernel.of(this).record(device);
    }

    @Override
    default void record(CudaRecorder device) {
        ProductKernel product = ProductKernel.of(this);
        if (CudaTiles.fits(product)) {
            CudaTiles.record(product, device);
        } else if (CudaRows.fits(product)) {
            CudaRows.record(product, device);
        } else {
            throw new IllegalArgumentException("step '" + label()
                    + "': expected rows of floats, of at most 5632 columns where they are normed, which have a kernel"
                    + " in CUDA, got rounded or longer ones");
        }
    }

    @Override
    default Runnable bind(HostValues host) {
        return new HostProduct(ProductKernel.of(this), host);
    }
}
