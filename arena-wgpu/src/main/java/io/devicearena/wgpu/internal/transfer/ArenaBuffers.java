package io.devicearena.wgpu.internal.transfer;

import io.devicearena.spi.memory.F16Mirrors;
import io.devicearena.wgpu.internal.builtin.Gather;
import io.devicearena.wgpu.internal.builtin.MirrorCast;
import io.devicearena.wgpu.internal.builtin.ReadbackLayout;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuLimits;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import io.devicearena.wgpu.internal.gpu.SubmissionQueue.MergeWindow;
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
    /** The bytes of two floats, whose f16 values share a word of the mirror. */
    public static final long PAIR = 2 * Float.BYTES;

    /** What moves bytes to and from the device. */
    final TransferPools pools;

    private final F16Mirrors mirrors;
    private final SegmentedBuffer arena;
    private final @Nullable SegmentedBuffer shadow;
    /** Releases the bind groups. */
    private final Arena memory = Arena.ofShared();

    private final BindingWindows<MergeWindow> arenaScatters;
    private final @Nullable BindingWindows<MergeWindow> shadowScatters;
    private final BindingWindows<GpuBindGroup> casts;
    /** The windows with which {@link Gather} reads. */
    final BindingWindows<GpuBindGroup> gathers;

    /**
     * Takes ownership of the buffers.
     *
     * @param arena the arena; the sizes of its segments are multiples of {@link GpuLimits#MAX_BINDING_ALIGNMENT}
     * @param shadow the f16 shadow, of such sizes too; each of its segments begins at half the offset of that of the
     *     arena; null for none
     */
    public ArenaBuffers(
            TransferPools pools, F16Mirrors mirrors, SegmentedBuffer arena, @Nullable SegmentedBuffer shadow) {
        this.pools = pools;
        this.mirrors = mirrors;
        this.arena = arena;
        this.shadow = shadow;
        this.arenaScatters = scatters(arena);
        this.shadowScatters = shadow == null ? null : scatters(shadow);
        this.casts = new BindingWindows<>(
                arena,
                pools.cast.window(),
                (segment, begin) -> pools.cast.bind(arena.buffer(segment), shadow().buffer(segment), begin, memory));
        this.gathers = new BindingWindows<>(
                arena,
                pools.device().windowBytes(),
                (segment, begin) -> pools.gather.bindArena(arena.buffer(segment), begin, memory));
    }

    private BindingWindows<MergeWindow> scatters(SegmentedBuffer buffer) {
        return new BindingWindows<>(
                buffer,
                pools.device().windowBytes(),
                (segment, begin) -> pools.scatter.bind(buffer.buffer(segment), begin, memory));
    }

    /** The f16 mirrors of the values in the shadow. */
    public F16Mirrors mirrors() {
        return mirrors;
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
     * Writes bytes before the next submission.
     *
     * @param address host memory with the words, from the one that the range begins in
     */
    void write(SegmentedBuffer to, long offset, long bytes, long address) {
        long whole = wholeWords(offset, bytes);
        if (whole > 0) {
            to.write(
                    pools.device().queue(), Words.up(offset), address + (Words.up(offset) - Words.down(offset)), whole);
        }
        if (whole < bytes) {
            writeEdges(null, to, offset, bytes, address);
        }
    }

    /**
     * Records the write of bytes.
     *
     * @param position where in staging, which is mapped, the words are, from the one that the range begins in
     */
    void record(Commands commands, SegmentedBuffer to, long offset, long bytes, StagingBuffer staging, long position) {
        long whole = wholeWords(offset, bytes);
        if (whole > 0) {
            long lead = Words.up(offset) - Words.down(offset);
            to.copyFrom(commands, staging.buffer(), position + lead, Words.up(offset), whole);
        }
        if (whole < bytes) {
            writeEdges(commands, to, offset, bytes, staging.address() + position);
        }
    }

    /** The bytes of a range that are in words which it covers completely. */
    private static long wholeWords(long offset, long bytes) {
        return Math.max(Words.down(offset + bytes) - Words.up(offset), 0);
    }

    /** Writes the first and the last word of a range, if the range covers only some of their bytes. */
    private void writeEdges(@Nullable Commands recording, SegmentedBuffer to, long offset, long bytes, long address) {
        long end = offset + bytes;
        long firstWord = Words.down(offset);
        long lastWord = Words.down(end);
        if (firstWord < offset) {
            int after = (int) Math.min(end - firstWord, Integer.BYTES);
            writeEdge(recording, to, firstWord, below(after) & ~below((int) (offset - firstWord)), address);
        }
        if (lastWord < end && (lastWord != firstWord || firstWord == offset)) {
            writeEdge(recording, to, lastWord, below((int) (end - lastWord)), address + (lastWord - firstWord));
        }
    }

    /** A mask of the lowest bytes of a word. */
    private static int below(int bytes) {
        return bytes == Integer.BYTES ? -1 : (1 << (8 * bytes)) - 1;
    }

    /** Writes bytes of a word: in a recording, or else before the next submission. */
    private void writeEdge(@Nullable Commands recording, SegmentedBuffer to, long word, int mask, long address) {
        int bits = AddressSpace.ALL.get(ValueLayout.JAVA_INT_UNALIGNED, address);
        BindingWindows<MergeWindow> windows = to == arena ? arenaScatters : Objects.requireNonNull(shadowScatters);
        int window = windows.indexOf(word);
        int index = (int) ((word - windows.start(window)) / Integer.BYTES);
        if (recording == null) {
            pools.device().queue().merge(windows.at(window), index, mask, bits);
        } else {
            pools.scatter.record(recording, windows.at(window), index, mask, bits);
        }
    }

    /**
     * Records the cast of floats to their mirror.
     *
     * @param offset bytes from the start of the arena, a multiple of 8
     * @param elements the number of floats
     * @param padded whether the second half of an odd last pair becomes zero; else it becomes the cast of the next
     *     float
     */
    void recordCast(Commands commands, long offset, long elements, boolean padded) {
        long end = offset + (elements + 1) / 2 * PAIR;
        long begin = offset;
        while (begin < end) {
            int window = casts.indexOf(begin);
            long stop = Math.min(end, casts.end(window));
            boolean odd = padded && stop == end && (elements & 1) == 1;
            pools.cast.record(
                    commands, casts.at(window), (begin - casts.start(window)) / PAIR, (stop - begin) / PAIR, odd);
            begin = stop;
        }
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

    /** The kernel that casts mirrors. */
    public MirrorCast cast() {
        return pools.cast;
    }

    /** The windows of the arena and of its shadow, as the kernel that casts mirrors binds them. */
    public BindingWindows<GpuBindGroup> casts() {
        return casts;
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
