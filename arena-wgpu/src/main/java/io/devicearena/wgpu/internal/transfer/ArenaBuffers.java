package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.internal.builtin.Gather;
import io.devicearena.wgpu.internal.builtin.KernelParameters;
import io.devicearena.wgpu.internal.builtin.ReadbackLayout;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuLimits;
import java.lang.foreign.Arena;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one arena: its own, and that of its f16 shadow if it has one, each in as many segments. It also keeps
 * the windows through which the kernels of this backend reach them.
 *
 * <p>Threads: safe for any thread. Lifetime: until {@link #close}; no transfer may be under way then.
 */
public final class ArenaBuffers implements AutoCloseable {
    private static final long PAIR = 2 * Float.BYTES;

    private final TransferPools pools;
    private final SegmentedBuffer arena;
    private final @Nullable SegmentedBuffer shadow;
    /** Releases the bind groups. */
    private final Arena memory = Arena.ofShared();

    private final BindingWindows arenaMerges;
    private final @Nullable BindingWindows shadowMerges;
    private final BindingWindows casts;
    private final BindingWindows gathers;

    /**
     * Takes ownership of the buffers.
     *
     * @param arena the arena; the sizes of its segments are multiples of {@link GpuLimits#MAX_BINDING_ALIGNMENT}
     * @param shadow the f16 shadow, of such sizes too; each of its segments begins at half the offset of that of the
     *     arena; null for none
     */
    public ArenaBuffers(TransferPools pools, SegmentedBuffer arena, @Nullable SegmentedBuffer shadow) {
        this.pools = pools;
        this.arena = arena;
        this.shadow = shadow;
        this.arenaMerges = merges(arena);
        this.shadowMerges = shadow == null ? null : merges(shadow);
        this.casts = new BindingWindows(
                arena,
                pools.cast().window(),
                (segment, begin) -> pools.cast().bind(arena.buffer(segment), shadow().buffer(segment), begin, memory));
        this.gathers = new BindingWindows(
                arena,
                pools.gather().window(),
                (segment, begin) -> pools.gather().bindArena(arena.buffer(segment), begin, memory));
    }

    private BindingWindows merges(SegmentedBuffer buffer) {
        return new BindingWindows(
                buffer,
                pools.merge().window(),
                (segment, begin) -> pools.merge().bind(buffer.buffer(segment), begin, memory));
    }

    /** The memory of the arena. */
    public SegmentedBuffer arena() {
        return arena;
    }

    /** The memory of the f16 shadow, which must exist. */
    public SegmentedBuffer shadow() {
        if (shadow == null) {
            throw new AssertionError("the arena has no shadow");
        }
        return shadow;
    }

    /** Records a write to some bytes of a word of the arena or the shadow. */
    void recordMerge(
            Commands commands, SegmentedBuffer to, long offset, int mask, int bits, KernelParameters parameters) {
        BindingWindows windows = to == arena ? arenaMerges : Objects.requireNonNull(shadowMerges);
        int window = windows.indexOf(offset);
        long word = (offset - windows.start(window)) / Integer.BYTES;
        pools.merge().record(commands, windows.group(window), word, mask, bits, parameters);
    }

    /**
     * Records the cast of floats to their mirror, as far as there is room for the parameters.
     *
     * @param offset bytes from the start of the arena, a multiple of 8
     * @param elements the number of floats
     * @param padded whether the second half of an odd last pair becomes zero; else it becomes the cast of the next
     *     float
     * @return the number of floats whose cast is recorded, {@code elements} unless another submission must follow
     */
    long recordCast(Commands commands, long offset, long elements, boolean padded, KernelParameters parameters) {
        long end = offset + (elements + 1) / 2 * PAIR;
        long begin = offset;
        while (begin < end && parameters.hasRoom()) {
            int window = casts.indexOf(begin);
            long stop = Math.min(end, casts.end(window));
            boolean odd = padded && stop == end && (elements & 1) == 1;
            pools.cast()
                    .record(
                            commands,
                            casts.group(window),
                            (begin - casts.start(window)) / PAIR,
                            (stop - begin) / PAIR,
                            odd,
                            parameters);
            begin = stop;
        }
        return Math.min(elements, (begin - offset) / Float.BYTES);
    }

    /** The window with which {@link Gather} reads all copies of a layout, or -1 if they lie in several. */
    int gatherWindow(ReadbackLayout layout) {
        int window = gathers.indexOf(layout.from(0));
        for (int i = 0; i < layout.copies(); i++) {
            if (layout.from(i) < gathers.start(window) || layout.from(i) + layout.length(i) > gathers.end(window)) {
                return -1;
            }
        }
        return window;
    }

    /** Where the window begins with which {@link Gather} reads. */
    long gatherStart(int window) {
        return gathers.start(window);
    }

    /** The bind group with which {@link Gather} reads a window of the arena. */
    GpuBindGroup gatherGroup(int window) {
        return gathers.group(window);
    }

    @Override
    public void close() {
        if (memory.scope().isAlive()) {
            memory.close();
        }
        arena.close();
        if (shadow != null) {
            shadow.close();
        }
    }
}
