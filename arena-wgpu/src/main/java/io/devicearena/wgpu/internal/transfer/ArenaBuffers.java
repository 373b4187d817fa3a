package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.internal.builtin.DispatchParameters;
import io.devicearena.wgpu.internal.builtin.Gather;
import io.devicearena.wgpu.internal.builtin.ReadbackLayout;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuLimits;
import io.devicearena.wgpu.internal.raw.AddressSpace;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one arena: its own, and that of its f16 shadow if it has one, each in as many segments. It also keeps
 * the windows through which the kernels of this backend reach them.
 *
 * <p>Threads: safe for any thread. Lifetime: until {@link #close}; no transfer may be under way then.
 */
public final class ArenaBuffers implements AutoCloseable {
    private static final long WORD = Integer.BYTES;
    private static final long PAIR = 2 * Float.BYTES;

    private final TransferPools pools;
    private final SegmentedBuffer arena;
    private final @Nullable SegmentedBuffer shadow;
    /** Releases the bind groups. */
    private final Arena memory = Arena.ofShared();

    private final BindingWindows arenaMerges;
    private final @Nullable BindingWindows shadowMerges;
    private final BindingWindows arenaScatters;
    private final @Nullable BindingWindows shadowScatters;
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
        this.arenaScatters = scatters(arena);
        this.shadowScatters = shadow == null ? null : scatters(shadow);
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

    private BindingWindows scatters(SegmentedBuffer buffer) {
        return new BindingWindows(
                buffer,
                pools.scatter().window(),
                (segment, begin) -> pools.scatter().bind(buffer.buffer(segment), begin, memory));
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

    /**
     * Records the writes to the first and the last word of a range, if the range covers only some of their bytes.
     *
     * @param address host memory with the words, from the one that the range begins in
     */
    void recordEdges(
            Commands commands,
            SegmentedBuffer to,
            long offset,
            long bytes,
            long address,
            DispatchParameters parameters) {
        int firstMask = firstMask(offset, bytes);
        int lastMask = lastMask(offset, bytes);
        long firstWord = offset & -WORD;
        long lastWord = offset + bytes & -WORD;
        if (firstMask != 0) {
            recordMerge(commands, to, firstWord, firstMask, address, parameters);
        }
        if (lastMask != 0) {
            recordMerge(commands, to, lastWord, lastMask, address + (lastWord - firstWord), parameters);
        }
    }

    /** The bytes of the word in which a range begins, if the range covers only some of them; else 0. */
    static int firstMask(long offset, long bytes) {
        long firstWord = offset & -WORD;
        int before = (int) (offset - firstWord);
        int after = (int) Math.min(offset + bytes - firstWord, WORD);
        return before == 0 ? 0 : below(after) & ~below(before);
    }

    /** The bytes of the word in which a range ends, if these are some of them and not the first mask; else 0. */
    static int lastMask(long offset, long bytes) {
        long end = offset + bytes;
        long lastWord = end & -WORD;
        boolean isFirst = lastWord == (offset & -WORD) && lastWord != offset;
        return isFirst ? 0 : below((int) (end - lastWord));
    }

    /**
     * Writes the first and the last word of a range before the next submission, if the range covers only some of their
     * bytes.
     *
     * @param address host memory with the words, from the one that the range begins in
     */
    void writeEdges(SegmentedBuffer to, long offset, long bytes, long address) {
        int firstMask = firstMask(offset, bytes);
        int lastMask = lastMask(offset, bytes);
        long firstWord = offset & -WORD;
        long lastWord = offset + bytes & -WORD;
        if (firstMask != 0) {
            writeEdge(to, firstWord, firstMask, address);
        }
        if (lastMask != 0) {
            writeEdge(to, lastWord, lastMask, address + (lastWord - firstWord));
        }
    }

    private void writeEdge(SegmentedBuffer to, long word, int mask, long address) {
        int bits = AddressSpace.ALL.get(ValueLayout.JAVA_INT_UNALIGNED, address);
        BindingWindows windows = to == arena ? arenaScatters : Objects.requireNonNull(shadowScatters);
        int window = windows.indexOf(word);
        int segment = to.indexOf(word);
        long start = to.start(segment);
        pools.device()
                .queue()
                .merge(
                        pools.scatter().kernel(),
                        to.buffer(segment),
                        windows.start(window) - start,
                        windows.group(window),
                        word - start,
                        mask,
                        bits);
    }

    /** A mask of the lowest bytes of a word. */
    private static int below(int bytes) {
        return bytes == WORD ? -1 : (1 << (8 * bytes)) - 1;
    }

    private void recordMerge(
            Commands commands, SegmentedBuffer to, long word, int mask, long address, DispatchParameters parameters) {
        int bits = AddressSpace.ALL.get(ValueLayout.JAVA_INT_UNALIGNED, address);
        BindingWindows windows = to == arena ? arenaMerges : Objects.requireNonNull(shadowMerges);
        int window = windows.indexOf(word);
        long index = (word - windows.start(window)) / WORD;
        pools.merge().record(commands, windows.group(window), index, mask, bits, parameters);
    }

    /** The number of dispatches that {@link #recordCast} records for a range. */
    int castWindows(long offset, long elements) {
        return casts.indexOf(offset + elements * Float.BYTES - 1) - casts.indexOf(offset) + 1;
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
    long recordCast(Commands commands, long offset, long elements, boolean padded, DispatchParameters parameters) {
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
        arena.dropWrites(pools.device());
        if (shadow != null) {
            shadow.dropWrites(pools.device());
        }
        if (memory.scope().isAlive()) {
            memory.close(); // no pending write uses a group any more
        }
        arena.close();
        if (shadow != null) {
            shadow.close();
        }
    }
}
