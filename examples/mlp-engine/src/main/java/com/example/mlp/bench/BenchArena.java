package com.example.mlp.bench;

import com.example.mlp.kernels.DenseKernel;
import com.example.mlp.kernels.WeightLoad;
import io.devicearena.ArenaLimits;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16Shadow;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernel.StepTime;
import io.devicearena.kernel.Window;
import io.devicearena.wgpu.kernel.Kernels;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** An arena with some equal matrices and what they are multiplied with. */
final class BenchArena implements AutoCloseable {
    /** Where bindings may begin on every device, for values and also for their f16 mirrors at half the offset. */
    private static final long ALIGNMENT = 512;

    private static final long SEED = 20260501;

    /** Rows that the host computes too, spread over the matrix. */
    private static final int CHECKED_ROWS = 16;

    /** Dispatches of one submission by the host's clock. */
    private static final int DISPATCHES = 64;

    private static final int SUBMISSIONS = 31;
    private static final NodeId X = NodeId.of(0);
    private static final NodeId Y = NodeId.of(1);
    private static final NodeId BIAS = NodeId.of(2);
    private static final int FIRST_MATRIX = 3;

    private final Shape shape;
    private final int tokens;
    private final int copies;
    private final DeviceArena arena;
    private final float[] x;
    private final float[][] checkedRows = new float[CHECKED_ROWS][];

    private BenchArena(Shape shape, int tokens, int copies, DeviceArena arena) {
        this.shape = shape;
        this.tokens = tokens;
        this.copies = copies;
        this.arena = arena;
        this.x = new float[tokens * shape.columns()];
    }

    static BenchArena open(Shape shape, int tokens, int copies) {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        long end = place(slots, X, 0, (long) tokens * shape.columns());
        end = place(slots, Y, end, (long) tokens * shape.rows());
        end = place(slots, BIAS, end, shape.rows());
        for (int i = 0; i < copies; i++) {
            end = place(slots, NodeId.of(FIRST_MATRIX + i), end, shape.weights());
        }
        MemoryPlan plan = new MemoryPlan(end, slots, List.copyOf(slots.keySet()));
        BenchArena opened = new BenchArena(shape, tokens, copies, KernelBench.open(plan));
        opened.fill();
        return opened;
    }

    private static long place(Map<NodeId, BufferSlot> slots, NodeId id, long offset, long elements) {
        long bytes = elements * Float.BYTES;
        slots.put(id, new BufferSlot(offset, bytes));
        return (offset + bytes + ALIGNMENT - 1) & -ALIGNMENT;
    }

    private void fill() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < x.length; i++) {
            x[i] = random.nextInt(1 << 12) / 2048f - 1;
        }
        arena.writeInputF32(X, DType.F32, x);
        try (Arena call = Arena.ofConfined()) {
            MemorySegment matrix = call.allocate(shape.weights() * Float.BYTES, 64);
            for (long i = 0; i < shape.weights(); i++) {
                matrix.setAtIndex(ValueLayout.JAVA_FLOAT, i, random.nextInt(1 << 16) / 32768f - 1);
            }
            for (int i = 0; i < copies; i++) {
                arena.writeInputF32(NodeId.of(FIRST_MATRIX + i), DType.F32, matrix);
            }
            for (int i = 0; i < CHECKED_ROWS; i++) {
                long row = matrix.byteSize() / shape.rows();
                checkedRows[i] =
                        matrix.asSlice(checkedRow(i) * row, row).toArray(ValueLayout.JAVA_FLOAT);
            }
        }
        arena.flush();
    }

    private int checkedRow(int i) {
        return (int) ((long) i * (shape.rows() - 1) / (CHECKED_ROWS - 1));
    }

    /** Why weights of a format cannot be measured, or nothing. */
    Optional<String> obstacle(WeightLoad format) {
        long bytes = shape.weights() * format.bytesPerWeight();
        ArenaLimits limits = arena.device().limits();
        if (shape.weights() * Float.BYTES > limits.maxSegmentBytes()) {
            return Optional.of("a matrix of " + shape.weights() * Float.BYTES + " bytes is larger than a segment of "
                    + limits.maxSegmentBytes() + " (" + limits.maxSegmentName() + "); measure smaller --shapes");
        }
        if (bytes > limits.maxBindingBytes()) {
            return Optional.of("a matrix of " + bytes + " bytes is larger than a binding of "
                    + limits.maxBindingBytes() + " (" + limits.maxBindingName() + "); measure smaller --shapes");
        }
        boolean shadow = arena.device().capabilities().contains(Capability.F16_SHADOW);
        boolean has = !format.isHalf()
                || (shadow
                        && arena.unwrap(F16Shadow.class).orElseThrow().fits(NodeId.of(FIRST_MATRIX + copies - 1))
                        && (!format.needsShaderF16() || arena.unwrap(Kernels.class).orElseThrow().facts().hasShaderF16()));
        return has ? Optional.empty() : Optional.of("not on this device");
    }

    KernelTime measure(DenseKernel dense, int repeats) {
        Kernels kernels = arena.unwrap(Kernels.class).orElseThrow();
        KernelProgram once = program(kernels, dense, copies);
        KernelProgram often = program(kernels, dense, DISPATCHES);
        float[] y = new float[tokens * shape.rows()];
        Batch all = Batch.builder().floats(Y, DType.F32, y).build();
        once.run(all);
        double error = error(y, dense.format());
        Batch tiny = Batch.builder().floats(Y, DType.F32, new float[4]).build();
        often.run(tiny);
        return new KernelTime(dense, gpuMicros(kernels, once, repeats), wallMicros(often, tiny), error);
    }

    private KernelProgram program(Kernels kernels, DenseKernel dense, int dispatches) {
        Window bias = kernels.window(BIAS);
        Window input = kernels.window(X);
        Window output = kernels.window(Y);
        Recorder recorder = kernels.recorder();
        for (int i = 0; i < dispatches; i++) {
            NodeId matrix = NodeId.of(FIRST_MATRIX + i % copies);
            Window weights =
                    dense.format().isHalf() ? kernels.shadowWindow(matrix) : kernels.window(matrix);
            recorder.dispatch(
                    kernels.compile(dense.source(
                            weights.offsetOf(matrix),
                            bias.offsetOf(BIAS),
                            input.offsetOf(X),
                            output.offsetOf(Y),
                            dense.rows(),
                            tokens)),
                    Bindings.of(weights, bias, input, output),
                    dense.workgroups(tokens));
        }
        return recorder.build();
    }

    private static double gpuMicros(Kernels kernels, KernelProgram program, int repeats) {
        if (!kernels.facts().hasTimestamps()) {
            return Double.NaN;
        }
        long[] nanos = new long[0];
        for (int i = 0; i < repeats; i++) {
            long[] some = program.time().stream().mapToLong(StepTime::nanos).toArray();
            int before = nanos.length;
            nanos = Arrays.copyOf(nanos, before + some.length);
            System.arraycopy(some, 0, nanos, before, some.length);
        }
        Arrays.sort(nanos);
        return nanos[nanos.length / 2] / 1e3;
    }

    private static double wallMicros(KernelProgram program, Batch tiny) {
        long[] nanos = new long[SUBMISSIONS];
        for (int i = 0; i < nanos.length; i++) {
            long begin = System.nanoTime();
            program.run(tiny);
            nanos[i] = System.nanoTime() - begin;
        }
        Arrays.sort(nanos);
        return nanos[nanos.length / 2] / 1e3 / DISPATCHES;
    }

    /**
     * The largest error of the checked rows, over what rounding explains: a sum of n products in any order is off by at
     * most (n + 1) u Σ|w x|, u = 2⁻²⁴ (N. J. Higham, Accuracy and Stability of Numerical Algorithms, section 3.1, to
     * first order); the weights are those of the format, exactly.
     */
    private double error(float[] y, WeightLoad format) {
        double worst = 0;
        for (int t = 0; t < tokens; t++) {
            for (int i = 0; i < CHECKED_ROWS; i++) {
                double sum = 0;
                double magnitude = 0;
                for (int c = 0; c < shape.columns(); c++) {
                    float weight = checkedRows[i][c];
                    double product = (double) (format.isHalf() ? half(weight) : weight) * x[t * shape.columns() + c];
                    sum += product;
                    magnitude += Math.abs(product);
                }
                double explained = (shape.columns() + 1) * 0x1p-24 * magnitude;
                worst = Math.max(worst, Math.abs(y[t * shape.rows() + checkedRow(i)] - sum) / explained);
            }
        }
        if (!(worst <= 1)) {
            throw new IllegalStateException("kernel: expected an error that rounding explains, got " + worst
                    + " times as much; the device computes wrong results");
        }
        return worst;
    }

    private static float half(float value) {
        return Float.float16ToFloat(Float.floatToFloat16(value));
    }

    @Override
    public void close() {
        arena.close();
    }
}
