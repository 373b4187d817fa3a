package io.devicearena.wgpu.internal.arena;

import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.SegmentLayout;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuLimits;
import io.devicearena.wgpu.internal.transfer.SegmentedBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Allocates the segments of one arena and of its f16 shadow: all of them, or none.
 *
 * <p>Threads: one thread at a time.
 */
final class SegmentAllocator {
    /** Allocates one buffer. */
    @FunctionalInterface
    interface BufferFactory {
        GpuBuffer create(String label, long bytes);
    }

    /** The segments of an arena, and those of its shadow if it has one. */
    record Segments(SegmentedBuffer arena, @Nullable SegmentedBuffer shadow) {}

    private final BufferFactory factory;
    private final String label;
    private final SegmentLayout layout;
    private final long shadowBytes;
    private final List<GpuBuffer> arena = new ArrayList<>();
    private final List<GpuBuffer> shadow = new ArrayList<>();
    /** Segments that are allocated together with their shadow. */
    private int complete;

    /**
     * Makes an allocator.
     *
     * @param label names the buffers in tools of the device
     * @param shadowBytes the size of the f16 shadow, 0 for none
     */
    SegmentAllocator(BufferFactory factory, String label, SegmentLayout layout, long shadowBytes) {
        this.factory = factory;
        this.label = label;
        this.layout = layout;
        this.shadowBytes = shadowBytes;
    }

    Segments allocate() {
        try {
            for (int i = 0; i < layout.count(); i++) {
                arena.add(create("", i, layout.end(i) - layout.start(i)));
                long end = i == layout.count() - 1 ? shadowBytes : Math.min(layout.end(i) / 2, shadowBytes);
                long mirrors = end - layout.start(i) / 2;
                if (mirrors > 0) {
                    shadow.add(create(" (f16 shadow)", i, mirrors));
                }
                complete++;
            }
            return new Segments(segments(arena, 1), shadow.isEmpty() ? null : segments(shadow, 2));
        } catch (ArenaOutOfMemoryException e) {
            closeAll();
            throw layout.count() == 1 ? e : tooLarge(e);
        } catch (RuntimeException | Error e) {
            closeAll();
            throw e;
        }
    }

    private GpuBuffer create(String kind, int segment, long bytes) {
        String place = layout.count() == 1 ? "" : " (segment " + (segment + 1) + " of " + layout.count() + ")";
        long rounded = bytes + (GpuLimits.MAX_BINDING_ALIGNMENT - 1) & -GpuLimits.MAX_BINDING_ALIGNMENT;
        return factory.create(label + kind + place, rounded);
    }

    private SegmentedBuffer segments(List<GpuBuffer> buffers, int divisor) {
        long[] starts = new long[buffers.size()];
        for (int i = 0; i < starts.length; i++) {
            starts[i] = layout.start(i) / divisor;
        }
        return new SegmentedBuffer(buffers, starts);
    }

    private void closeAll() {
        arena.forEach(GpuBuffer::close);
        shadow.forEach(GpuBuffer::close);
    }

    private ArenaOutOfMemoryException tooLarge(ArenaOutOfMemoryException cause) {
        long size = layout.end(layout.count() - 1);
        long had = arena.stream().mapToLong(GpuBuffer::bytes).sum()
                + shadow.stream().mapToLong(GpuBuffer::bytes).sum();
        return new ArenaOutOfMemoryException(
                "arena '" + label + "': expected memory for " + size + " bytes"
                        + (shadowBytes > 0 ? " and an f16 shadow of " + shadowBytes : "") + " in " + layout.count()
                        + " segments, got " + had + " bytes in " + (arena.size() + shadow.size())
                        + " buffers, which are free again; an arena of " + layout.start(complete)
                        + " bytes would have fitted",
                cause);
    }
}
