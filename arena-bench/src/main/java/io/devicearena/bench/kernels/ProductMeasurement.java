package io.devicearena.bench.kernels;

import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.F16ShadowMode;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.matrix.Matrix;
import io.devicearena.kernels.matrix.Product;
import io.devicearena.kernels.matrix.RoundRows;
import io.devicearena.wgpu.WgpuArena;
import io.devicearena.wgpu.kernel.Recorder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/** Equal matrices in one arena, which take turns, so that no cache holds the next one. */
final class ProductMeasurement implements AutoCloseable {
    /** Where bindings may begin on every device, for values and for their mirrors at half the offset. */
    private static final long ALIGNMENT = 512;

    private static final NodeId IN = NodeId.of(0);
    private static final NodeId OUT = NodeId.of(1);
    private static final NodeId ROUNDED = NodeId.of(2);
    private static final int FIRST_MATRIX = 3;
    private static final long SEED = 20261101;

    private final ProductCase product;
    private final WgpuArena arena;
    private final TimedProgram timed;

    /**
     * Fills an arena and records a program.
     *
     * @param rotated how many bytes of weights take turns, at least one matrix
     * @param dispatches of the program
     */
    ProductMeasurement(ProductCase product, long rotated, int dispatches) {
        this.product = product;
        int copies = Math.clamp((rotated - 1) / product.readBytes() + 1, 1, dispatches);
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        long end = place(slots, IN, 0, 4L * product.tokens() * product.columns());
        end = place(slots, OUT, end, 4L * product.tokens() * product.rows());
        end = place(slots, ROUNDED, end, RoundRows.bytes(product.tokens(), product.columns()));
        long bytes = product.rows() * product.type().rowBytes(product.columns());
        for (int i = 0; i < copies; i++) {
            end = place(slots, NodeId.of(FIRST_MATRIX + i), end, bytes);
        }
        MemoryPlan plan = new MemoryPlan(end, slots, List.copyOf(slots.keySet()));
        arena = (WgpuArena) DeviceArenas.open(
                plan,
                ArenaOptions.defaults()
                        .withProvider("wgpu")
                        .withLabel("kernel bench")
                        .withF16Shadow(product.isMirrored() ? F16ShadowMode.ON_REQUEST : F16ShadowMode.OFF));
        fill(slots, bytes, copies);
        if (product.isMirrored()) {
            Recorder mirrors = arena.kernels().recorder();
            for (int i = 0; i < copies; i++) {
                mirrors.refresh(NodeId.of(FIRST_MATRIX + i));
            }
            mirrors.build().submit();
        }
        if (product.isRounded()) {
            Recorder rounding = arena.kernels().recorder();
            new RoundRows(ROUNDED, IN, product.tokens(), product.columns())
                    .record(new StepRecorder(arena.kernels(), rounding));
            rounding.build().submit();
        }
        NodeId in = product.isRounded() ? ROUNDED : IN;
        Recorder recorder = arena.kernels().recorder();
        StepRecorder device = new StepRecorder(arena.kernels(), recorder);
        for (int i = 0; i < dispatches; i++) {
            Matrix matrix = product.matrix(NodeId.of(FIRST_MATRIX + i % copies));
            new Product(OUT, in, matrix, product.tokens(), null, product.isRounded()).record(device);
        }
        timed = new TimedProgram(arena, recorder.build(), dispatches, OUT);
    }

    private static long place(Map<NodeId, BufferSlot> slots, NodeId id, long offset, long bytes) {
        slots.put(id, new BufferSlot(offset, bytes));
        return (offset + bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    /** Words between 1 and 2 as floats; as packed weights they are as good as any others. */
    private void fill(Map<NodeId, BufferSlot> slots, long bytes, int copies) {
        SplittableRandom random = new SplittableRandom(SEED);
        try (Arena call = Arena.ofConfined()) {
            MemorySegment words = call.allocate((bytes + 3) / 4 * 4, 8);
            for (long i = 0; i < words.byteSize() / 4; i++) {
                words.setAtIndex(ValueLayout.JAVA_INT, i, random.nextInt(1 << 23) | 0x3F800000);
            }
            for (int i = 0; i < copies; i++) {
                arena.writeBytes(
                        Objects.requireNonNull(slots.get(NodeId.of(FIRST_MATRIX + i)))
                                .offset(),
                        words.asSlice(0, bytes));
            }
        }
        float[] input = new float[product.tokens() * product.columns()];
        Arrays.fill(input, 1);
        arena.writeInputF32(IN, DType.F32, input);
        arena.flush();
    }

    /** The program with its times. */
    TimedProgram timed() {
        return timed;
    }

    @Override
    public void close() {
        timed.close();
    }
}
