package io.devicearena.wgpu.internal.compute;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.transfer.SegmentedBuffer;
import io.devicearena.wgpu.kernel.Window;
import java.util.List;

/** A range of the arena or of its shadow. Threads: immutable. */
final class ArenaWindow extends BoundRange implements Window {
    /** The unit of the length of a window in bytes, so that kernels can read vectors of four words. */
    private static final long VECTOR = 16;

    private final ArenaContext arena;
    private final boolean shadow;
    private final List<NodeId> nodes;
    /** The bytes of the arena that the window was made for, or whose mirrors: one range for each of the values. */
    private final List<BufferSlot> ranges;
    /** Where the segment begins that the window lies in. */
    private final long segmentStart;

    private final GpuBindGroup.Range range;

    private ArenaWindow(
            ArenaContext arena,
            boolean shadow,
            List<NodeId> nodes,
            List<BufferSlot> ranges,
            long segmentStart,
            GpuBindGroup.Range range) {
        super(arena.backend().kernels());
        this.range = range;
        this.arena = arena;
        this.shadow = shadow;
        this.nodes = nodes;
        this.ranges = ranges;
        this.segmentStart = segmentStart;
    }

    /** Makes a window of the whole arena, or of its whole shadow. */
    static ArenaWindow whole(ArenaContext arena, boolean shadow) {
        SegmentedBuffer buffer = buffer(arena, shadow);
        long bytes =
                shadow ? arena.backend().shadowBytes() : arena.open().arena().sizeBytes();
        long most = arena.backend().device().limits().maxBindingBytes();
        if (bytes > most) {
            throw new IllegalArgumentException("arena: expected at most " + most
                    + " bytes (maxStorageBufferBindingSize) to bind it as a whole, got " + bytes
                    + "; bind windows of it");
        }
        if (buffer.count() > 1) {
            throw new IllegalArgumentException("arena: expected one segment to bind it as a whole, got "
                    + buffer.count() + "; bind windows of it");
        }
        long rounded = Math.min(bytes + (VECTOR - 1) & -VECTOR, most & -VECTOR);
        return new ArenaWindow(
                arena, shadow, List.of(), List.of(), 0, new GpuBindGroup.Range(buffer.buffer(0), 0, rounded));
    }

    /** Makes a window at any offset where a binding may begin in a segment; it names no values. */
    static ArenaWindow part(ArenaContext arena, boolean shadow, long begin, long bytes) {
        SegmentedBuffer buffers = buffer(arena, shadow);
        int segment = buffers.indexOf(begin);
        GpuBuffer buffer = buffers.buffer(segment);
        long start = buffers.start(segment);
        return new ArenaWindow(
                arena, shadow, List.of(), List.of(), start, GpuBindGroup.Range.upTo(buffer, begin - start, bytes));
    }

    /** Makes the smallest window that covers values, or their mirrors. */
    static ArenaWindow covering(ArenaContext arena, boolean shadow, List<NodeId> nodes) {
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("window: expected 1 or more values to cover, got none");
        }
        NodeId first = nodes.getFirst();
        NodeId last = first;
        for (NodeId id : nodes) {
            requireBytes(arena, shadow, id);
            first = begin(arena, shadow, id) < begin(arena, shadow, first) ? id : first;
            last = end(arena, shadow, id) > end(arena, shadow, last) ? id : last;
        }
        long begin = begin(arena, shadow, first);
        long end = end(arena, shadow, last);
        requireOneBinding(arena, shadow, first, begin, last, end);
        requireOneSegment(arena, shadow, first, begin, last, end);
        List<BufferSlot> ranges = nodes.stream().map(arena.open()::requireSlot).toList();
        return at(arena, shadow, List.copyOf(nodes), ranges, begin, end);
    }

    /** Makes the smallest window that covers some bytes of a value, or of its mirror. */
    static ArenaWindow ofPart(ArenaContext arena, boolean shadow, NodeId id, long firstByte, long bytes) {
        requireBytes(arena, shadow, id);
        long most = end(arena, shadow, id) - begin(arena, shadow, id);
        if (firstByte < 0 || bytes < 1 || bytes > most || firstByte > most - bytes) {
            throw new IllegalArgumentException(arena.describe(id) + ": expected a part within its " + most
                    + " bytes, got " + bytes + " bytes from " + firstByte);
        }
        long begin = begin(arena, shadow, id) + firstByte;
        requireOneSegment(arena, shadow, id, begin, id, begin + bytes);
        requireOneBinding(arena, shadow, id, begin, id, begin + bytes);
        int scale = shadow ? Float.BYTES / Short.BYTES : 1;
        BufferSlot part = new BufferSlot(arena.open().requireSlot(id).offset() + scale * firstByte, scale * bytes);
        return at(arena, shadow, List.of(id), List.of(part), begin, begin + bytes);
    }

    private static void requireOneSegment(
            ArenaContext arena, boolean shadow, NodeId first, long begin, NodeId last, long end) {
        SegmentedBuffer buffers = buffer(arena, shadow);
        long segmentEnd = buffers.end(buffers.indexOf(begin));
        if (end > segmentEnd) {
            throw new IllegalArgumentException(
                    first.equals(last)
                            ? arena.describe(first) + ": expected bytes of one segment to bind, got bytes from " + begin
                                    + " to " + end
                                    + " across the end of a segment at " + segmentEnd
                                    + "; bind window(value, firstByte, bytes) on each side of it"
                            : "window: expected values of one segment, got " + arena.describe(first) + " at " + begin
                                    + " and "
                                    + arena.describe(last)
                                    + ", which ends at " + end + " behind the end of the segment at " + segmentEnd
                                    + "; bind them as separate windows");
        }
    }

    private static void requireOneBinding(
            ArenaContext arena, boolean shadow, NodeId first, long begin, NodeId last, long end) {
        long most = arena.backend().device().limits().maxBindingBytes();
        long aligned = alignedBegin(arena, shadow, begin);
        if (end - aligned > most) {
            throw new IllegalArgumentException(
                    first.equals(last)
                            ? arena.describe(first) + ": expected at most " + most
                                    + " bytes (maxStorageBufferBindingSize) to bind, got " + (end - aligned)
                                    + "; bind parts of it with window(value, firstByte, bytes)"
                            : "window: expected at most " + most
                                    + " bytes (maxStorageBufferBindingSize) from the first to"
                                    + " the last value, got " + (end - aligned) + " from " + arena.describe(first)
                                    + " at " + begin + " to " + arena.describe(last) + ", which ends at " + end
                                    + "; bind them as separate windows");
        }
    }

    /** The last place up to a byte where a binding of its segment may begin. */
    private static long alignedBegin(ArenaContext arena, boolean shadow, long begin) {
        SegmentedBuffer buffers = buffer(arena, shadow);
        long start = buffers.start(buffers.indexOf(begin));
        return start + (begin - start & -arena.backend().device().limits().bindingAlignmentBytes());
    }

    private static ArenaWindow at(
            ArenaContext arena, boolean shadow, List<NodeId> nodes, List<BufferSlot> ranges, long first, long end) {
        SegmentedBuffer buffers = buffer(arena, shadow);
        int segment = buffers.indexOf(first);
        GpuBuffer buffer = buffers.buffer(segment);
        long start = buffers.start(segment);
        long most = arena.backend().device().limits().maxBindingBytes() & -VECTOR;
        long begin = alignedBegin(arena, shadow, first) - start;
        long length = end - start - begin;
        long rounded = Math.min((begin + length + (VECTOR - 1) & -VECTOR) - begin, most);
        long bytes = Math.min(Math.max(rounded, length + 3 & -4), buffer.bytes() - begin);
        return new ArenaWindow(arena, shadow, nodes, ranges, start, new GpuBindGroup.Range(buffer, begin, bytes));
    }

    private static void requireBytes(ArenaContext arena, boolean shadow, NodeId id) {
        BufferSlot slot = arena.open().requireSlot(id);
        if (slot.size() == 0) {
            throw new IllegalArgumentException(
                    arena.describe(id) + ": expected a value with bytes, got one of 0 bytes");
        }
        if (shadow) {
            arena.mirrored(id);
        }
        if (shadow && slot.size() < Float.BYTES) {
            throw new IllegalArgumentException(
                    arena.describe(id) + ": expected a value of one f32 or more, got " + slot.size() + " bytes");
        }
    }

    private static long begin(ArenaContext arena, boolean shadow, NodeId id) {
        return shadow
                ? arena.open().requireSlot(id).offset() / 2
                : arena.open().requireSlot(id).offset();
    }

    private static long end(ArenaContext arena, boolean shadow, NodeId id) {
        BufferSlot slot = arena.open().requireSlot(id);
        return shadow ? slot.offset() / 2 + (slot.size() / Float.BYTES * Short.BYTES + 3 & -4) : slot.end();
    }

    private static SegmentedBuffer buffer(ArenaContext arena, boolean shadow) {
        return shadow
                ? arena.backend().buffers().shadow()
                : arena.backend().buffers().arena();
    }

    /** A value as messages write it. */
    String describe(NodeId id) {
        return arena.describe(id);
    }

    /** Where the values of the window are. */
    ArenaContext home() {
        return arena;
    }

    boolean isShadow() {
        return shadow;
    }

    /** The values that the window was made for; none for the whole arena. */
    List<NodeId> nodes() {
        return nodes;
    }

    /** The bytes of the arena that the window was made for, or whose mirrors, value by value. */
    List<BufferSlot> ranges() {
        return ranges;
    }

    @Override
    GpuBindGroup.Range range() {
        return range;
    }

    @Override
    String noun() {
        return shadow ? "a window of the f16 shadow" : "a window of the arena";
    }

    @Override
    public long offset() {
        return segmentStart + range().offset();
    }

    @Override
    public long offsetOf(NodeId id) {
        long begin = begin(arena, shadow, id) - offset();
        if (begin < 0
                || end(arena, shadow, id) - offset() > bytes()
                || (shadow && !arena.backend().mirrors().has(arena.open().requireSlot(id)))) {
            throw new IllegalArgumentException(describe(id) + ": expected a value within the window of " + bytes()
                    + " bytes at " + offset() + ", got one that is not");
        }
        return begin;
    }

    @Override
    public long offsetOf(NodeId id, long firstByte) {
        long begin = begin(arena, shadow, id);
        long length = end(arena, shadow, id) - begin;
        long at = begin + firstByte - offset();
        if (firstByte < 0 || firstByte >= length || at < 0 || at >= bytes()) {
            throw new IllegalArgumentException(describe(id) + ": expected a byte of its " + length
                    + " within the window of " + bytes() + " bytes at " + offset() + ", got byte " + firstByte);
        }
        return at;
    }
}
