package io.devicearena.bench.kernels;

import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16ShadowMode;
import io.devicearena.NodeId;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.matrix.Product;
import io.devicearena.kernels.matrix.RoundRows;
import io.devicearena.wgpu.kernel.Kernels;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Equal matrices in one arena, which take turns, so that no cache holds the next one. */
final class ProductMeasurement {
    private static final long SEED = 20261101;

    private ProductMeasurement() {}

    /**
     * Fills an arena and records a program.
     *
     * @param rotated how many bytes of weights take turns, at least one matrix
     * @param dispatches of the program
     */
    static TimedProgram record(ProductCase product, long rotated, int dispatches) {
        int copies = Math.clamp((rotated - 1) / product.readBytes() + 1, 1, dispatches);
        KernelValues values = new KernelValues();
        NodeId floats = values.add(4L * product.tokens() * product.columns());
        NodeId out = values.add(4L * product.tokens() * product.rows());
        NodeId rounded = values.add(RoundRows.bytes(product.tokens(), product.columns()));
        long bytes = product.rows() * product.type().rowBytes(product.columns());
        List<NodeId> matrices =
                IntStream.range(0, copies).mapToObj(i -> values.add(bytes)).toList();
        DeviceArena arena = values.open(product.isMirrored() ? F16ShadowMode.ON_REQUEST : F16ShadowMode.OFF);
        fill(arena, matrices, bytes);
        float[] input = new float[product.tokens() * product.columns()];
        Arrays.fill(input, 1);
        arena.writeInputF32(floats, DType.F32, input);
        arena.flush();
        Kernels kernels = arena.unwrap(Kernels.class).orElseThrow();
        Recorder preparation = kernels.recorder();
        if (product.isMirrored()) {
            preparation.refresh(matrices.toArray(NodeId[]::new));
        }
        if (product.isRounded()) {
            new RoundRows(rounded, floats, product.tokens(), product.columns())
                    .record(new StepRecorder(kernels, preparation));
        }
        try (KernelProgram prepared = preparation.build()) {
            prepared.submit();
        }
        NodeId in = product.isRounded() ? rounded : floats;
        Recorder recorder = kernels.recorder();
        StepRecorder device = new StepRecorder(kernels, recorder);
        for (int i = 0; i < dispatches; i++) {
            new Product(out, in, product.matrix(matrices.get(i % copies)), product.tokens(), null, product.isRounded())
                    .record(device);
        }
        return new TimedProgram(arena, recorder.build(), dispatches, out);
    }

    /** Words between 1 and 2 as floats; as packed weights they are as good as any others. */
    private static void fill(DeviceArena arena, List<NodeId> matrices, long bytes) {
        SplittableRandom random = new SplittableRandom(SEED);
        try (Arena call = Arena.ofConfined()) {
            MemorySegment words = call.allocate((bytes + 3) / 4 * 4, 8);
            for (long i = 0; i < words.byteSize() / 4; i++) {
                words.setAtIndex(ValueLayout.JAVA_INT, i, random.nextInt(1 << 23) | 0x3F800000);
            }
            matrices.forEach(id -> arena.writeValueBytes(id, 0, words.asSlice(0, bytes)));
        }
    }
}
