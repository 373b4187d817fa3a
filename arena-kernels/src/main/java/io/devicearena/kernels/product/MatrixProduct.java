package io.devicearena.kernels.product;

import io.devicearena.NodeId;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.CudaStep;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.OneOutputStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.elementwise.Epilogue;
import io.devicearena.kernels.elementwise.Expression;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.StepKernel;
import io.devicearena.kernels.tile.Finish;
import io.devicearena.kernels.tile.ProductGrid;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;

/**
 * Multiplies matrices of any size: out = end(left times right), once or for many of them.
 *
 * <p>The sums are f32, in any order: a sum is off by at most depth u times the sum of the absolute values of its
 * products, with u = 2^-24; the end adds its own error. On the host a run allocates nothing.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> {@code MatMul} and {@code Gemm} of ONNX, opset 13.
 *
 * @param out receives F32 [products][rows][columns]; not an operand
 * @param left F32 [rows][depth], or [depth][rows] if it is transposed; for many products as their axes say
 * @param right F32 [depth][columns], or [columns][depth] if it is transposed; for many products as their axes say
 * @param isRightConstant whether {@code right} never changes after the step is bound: on the host it is then read once
 * @param shape the sizes and layouts
 * @param end what becomes of {@link Expression#sum}: an {@link Epilogue}, whose channels are the columns
 */
public record MatrixProduct(
        NodeId out, NodeId left, NodeId right, boolean isRightConstant, ProductShape shape, Expression end)
        implements OneOutputStep, CudaStep {
    /** Rows that are computed one by one on a device: the threads of a tile would have little to do. */
    private static final int FEW_ROWS = 4;

    private static final int THREADS = 256;

    /** The threads that share the depth of a column. */
    private static final int LANES = 32;

    /** Checks that the output is another value than the operands. */
    public MatrixProduct {
        StepKernel.requireOther("matrix-product", out, left, right);
        epilogue(end, shape);
    }

    private static Epilogue epilogue(Expression end, ProductShape shape) {
        return new Epilogue(end, List.of((long) shape.products(), (long) shape.rows(), (long) shape.columns()), 2);
    }

    Epilogue epilogue() {
        return epilogue(end, shape);
    }

    @Override
    public List<NodeId> reads() {
        return Stream.concat(Stream.of(left, right), epilogue().reads().stream())
                .distinct()
                .toList();
    }

    @Override
    public void record(StepRecorder device) {
        boolean isTile = isTile();
        StepKernel kernel = StepKernel.of(device, isTile ? "product/tiles" : "product/few-rows");
        Finish.setIn(kernel, epilogue(), out)
                .set("LEFT_ROW", shape.isLeftTransposed() ? 1 : shape.depth())
                .set("LEFT_DEPTH", shape.isLeftTransposed() ? shape.rows() : 1)
                .set("RIGHT_COLUMN", shape.isRightTransposed() ? shape.depth() : 1)
                .set("RIGHT_DEPTH", shape.isRightTransposed() ? 1 : shape.columns())
                .read("left_values", left, shape.leftElements() * Float.BYTES)
                .read("right_values", right, shape.rightElements() * Float.BYTES);
        int number = 0;
        for (ProductShape.Axis axis : shape.allAxes()) {
            kernel.set("SIZE_" + number, axis.size())
                    .set("LEFT_" + number, axis.leftStep())
                    .set("RIGHT_" + number++, axis.rightStep());
        }
        if (isTile) {
            grid().dispatch(kernel, label());
            return;
        }
        kernel.set("ROWS", shape.rows())
                .set("COLUMNS", shape.columns())
                .set("DEPTH", shape.depth())
                .set("THREADS", THREADS)
                .set("LANES", LANES)
                .lanes(StepKernel.subgroupSize(device.facts()))
                .dispatch(label(), fewRowGroups());
    }

    private boolean isTile() {
        return shape.rows() > FEW_ROWS || shape.depth() < LANES;
    }

    private ProductGrid grid() {
        return ProductGrid.of(shape.rows(), shape.columns(), shape.depth(), shape.products());
    }

    private Workgroups fewRowGroups() {
        return new Workgroups((shape.columns() - 1) / (THREADS / LANES) + 1, shape.rows(), shape.products());
    }

    @Override
    public void record(CudaRecorder device) {
        boolean isTile = isTile();
        CudaKernel kernel = Finish.kernel(device, isTile ? "matrix_products" : "few_row_products", epilogue(), out)
                .read(left, shape.leftElements() * Float.BYTES)
                .read(right, shape.rightElements() * Float.BYTES)
                .job(shape.words());
        if (isTile) {
            grid().launch(kernel, label());
        } else {
            kernel.job(shape.rows(), shape.columns(), shape.depth()).launch(label(), fewRowGroups(), THREADS);
        }
    }

    @Override
    public Runnable bind(HostValues host) {
        return bind(host, HostFloats.words(host, out, shape.outElements()));
    }

    /**
     * Binds the step with an output that is no value of the plan.
     *
     * @param host the values in host memory
     * @param to receives the results
     * @return runs the step, as that of {@link #bind(HostValues)}
     */
    public Runnable bind(HostValues host, MemorySegment to) {
        return new HostMatrixProduct(this, host, to);
    }
}
