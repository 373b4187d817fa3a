package io.devicearena.wgpu.internal.compute;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.kernel.Window;
import io.devicearena.spi.memory.F16Mirrors;
import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.transfer.SegmentedBuffer;
import java.util.ArrayList;
import java.util.List;

/** A range of the arena or of its shadow. Threads: immutable. */
final class ArenaWindow extends BoundRange implements Window {
    /** The unit of the length of a window in bytes, so that kernels can read vectors of four words. */
    private static final long VECTOR = 16;

    final Side side;
    /** What the window was made for; none for a whole arena. */
    private final List<Covered> covered;
    /** Where the segment begins that the window lies in. */
    private final long segmentStart;

    private final GpuBindGroup.Range range;

    private ArenaWindow(Side side, List<Covered> covered, long segmentStart, GpuBindGroup.Range range) {
        super(side.arena().backend().kernels(), side.shadow() ? "window of the f16 shadow" : "window of the arena");
        this.range = range;
        this.side = side;
        this.covered = covered;
        this.segmentStart = segmentStart;
    }

    /** Bytes of the arena that hold a value or a part of it, or whose mirrors a window has. Threads: immutable. */
    private record Covered(NodeId id, BufferSlot bytes) {}

    /** The memory that windows are in: that of an arena, or its shadow. Threads: immutable. */
    record Side(ArenaContext arena, boolean shadow) {
        /** Throws if the arena has no shadow that windows could be in. */
        Side {
            if (shadow) {
                arena.requireShadow();
            }
        }

        private SegmentedBuffer buffers() {
            return shadow
                    ? arena.backend().buffers().shadow()
                    : arena.backend().buffers().arena();
        }

        private long maxBindingBytes() {
            return arena.backend().device().limits().maxBindingBytes();
        }

        private long begin(NodeId id) {
            return arena.open().requireSlot(id).offset() / (shadow ? 2 : 1);
        }

        private long end(NodeId id) {
            BufferSlot slot = arena.open().requireSlot(id);
            return shadow ? F16Mirrors.end(slot) : slot.end();
        }

        /** Whether a value is in this memory: not each has a mirror. */
        private boolean holds(NodeId id) {
            return !shadow || arena.backend().mirrors().has(arena.open().requireSlot(id));
        }

        /** Makes a window of everything. */
        ArenaWindow whole() {
            long bytes = shadow
                    ? arena.backend().mirrors().shadowBytes()
                    : arena.open().arena().sizeBytes();
            long most = maxBindingBytes();
            if (bytes > most) {
                throw new IllegalArgumentException("arena: expected at most " + most
                        + " bytes (maxStorageBufferBindingSize) to bind it as a whole, got " + bytes
                        + "; bind windows of it");
            }
            if (buffers().count() > 1) {
                throw new IllegalArgumentException("arena: expected one segment to bind it as a whole, got "
                        + buffers().count() + "; bind windows of it");
            }
            long rounded = Math.min(bytes + (VECTOR - 1) & -VECTOR, most & -VECTOR);
            GpuBindGroup.Range range = new GpuBindGroup.Range(buffers().buffer(0), 0, rounded);
            return new ArenaWindow(this, List.of(), 0, range);
        }

        /** Makes the smallest window that covers values, or their mirrors. */
        ArenaWindow covering(List<NodeId> nodes) {
            if (nodes.isEmpty()) {
                throw new IllegalArgumentException("window: expected 1 or more values to cover, got none");
            }
            NodeId first = nodes.getFirst();
            NodeId last = first;
            List<Covered> covered = new ArrayList<>();
            for (NodeId id : nodes) {
                requireBytes(id);
                covered.add(new Covered(id, arena.open().requireSlot(id)));
                first = begin(id) < begin(first) ? id : first;
                last = end(id) > end(last) ? id : last;
            }
            requireOneBinding(first, begin(first), last, end(last));
            requireOneSegment(first, begin(first), last, end(last));
            return at(List.copyOf(covered), begin(first), end(last));
        }

        /** Makes the smallest window that covers some bytes of a value, or of its mirror. */
        ArenaWindow ofPart(NodeId id, long firstByte, long bytes) {
            requireBytes(id);
            long most = end(id) - begin(id);
            if (firstByte < 0 || bytes < 1 || bytes > most || firstByte > most - bytes) {
                throw new IllegalArgumentException(arena.describe(id) + ": expected a part within its " + most
                        + " bytes, got " + bytes + " bytes from " + firstByte);
            }
            long begin = begin(id) + firstByte;
            requireOneSegment(id, begin, id, begin + bytes);
            requireOneBinding(id, begin, id, begin + bytes);
            int scale = shadow ? Float.BYTES / Short.BYTES : 1;
            BufferSlot part = new BufferSlot(arena.open().requireSlot(id).offset() + scale * firstByte, scale * bytes);
            return at(List.of(new Covered(id, part)), begin, begin + bytes);
        }

        private void requireBytes(NodeId id) {
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

        private void requireOneSegment(NodeId first, long begin, NodeId last, long end) {
            long segmentEnd = buffers().end(buffers().indexOf(begin));
            if (end > segmentEnd) {
                throw new IllegalArgumentException(
                        first.equals(last)
                                ? arena.describe(first) + ": expected bytes of one segment to bind, got bytes from "
                                        + begin + " to " + end + " across the end of a segment at " + segmentEnd
                                        + "; bind window(value, firstByte, bytes) on each side of it"
                                : "window: expected values of one segment, got " + arena.describe(first) + " at "
                                        + begin + " and " + arena.describe(last) + ", which ends at " + end
                                        + " behind the end of the segment at " + segmentEnd
                                        + "; bind them as separate windows");
            }
        }

        private void requireOneBinding(NodeId first, long begin, NodeId last, long end) {
            long most = maxBindingBytes();
            long bytes = end - alignedBegin(begin);
            if (bytes > most) {
                throw new IllegalArgumentException(
                        first.equals(last)
                                ? arena.describe(first) + ": expected at most " + most
                                        + " bytes (maxStorageBufferBindingSize) to bind, got " + bytes
                                        + "; bind parts of it with window(value, firstByte, bytes)"
                                : "window: expected at most " + most
                                        + " bytes (maxStorageBufferBindingSize) from the first to the last value, got "
                                        + bytes + " from " + arena.describe(first) + " at " + begin + " to "
                                        + arena.describe(last) + ", which ends at " + end
                                        + "; bind them as separate windows");
            }
        }

        /** The last place up to a byte where a binding of its segment may begin. */
        private long alignedBegin(long begin) {
            long start = buffers().start(buffers().indexOf(begin));
            return start + (begin - start & -arena.backend().device().limits().bindingAlignmentBytes());
        }

        private ArenaWindow at(List<Covered> covered, long first, long end) {
            int segment = buffers().indexOf(first);
            GpuBuffer buffer = buffers().buffer(segment);
            long start = buffers().start(segment);
            long begin = alignedBegin(first) - start;
            long length = end - start - begin;
            long rounded = Math.min((begin + length + (VECTOR - 1) & -VECTOR) - begin, maxBindingBytes() & -VECTOR);
            long bytes = Math.min(Math.max(rounded, length + 3 & -4), buffer.bytes() - begin);
            return new ArenaWindow(this, covered, start, new GpuBindGroup.Range(buffer, begin, bytes));
        }
    }

    /** What a step does that uses some bytes of the window: those of each value that the window was made for. */
    List<ValueUse> uses(ArenaContext user, long firstByte, long length, boolean writes, boolean loads) {
        ArenaContext home = user.isOfWeights(owner) ? side.arena() : user;
        int scale = side.shadow() ? Float.BYTES / Short.BYTES : 1;
        long begin = scale * (offset() + firstByte);
        long end = Math.min(begin + scale * length, side.arena().open().arena().sizeBytes());
        if (covered.isEmpty()) {
            return List.of(new ValueUse(home, null, new BufferSlot(begin, end - begin), side.shadow(), writes, loads));
        }
        List<ValueUse> uses = new ArrayList<>();
        for (Covered each : covered) {
            long first = Math.max(begin, each.bytes().offset());
            long last = Math.min(end, each.bytes().end());
            if (first < last) {
                BufferSlot used = new BufferSlot(first, last - first);
                uses.add(new ValueUse(home, each.id(), used, side.shadow(), writes, loads));
            }
        }
        return uses;
    }

    /** What a step does that uses the whole window. */
    List<ValueUse> uses(ArenaContext user, boolean writes, boolean loads) {
        return uses(user, -offset(), Long.MAX_VALUE / 4, writes, loads);
    }

    @Override
    List<Part> parts() {
        return covered.stream()
                .map(each -> new Part(
                        side.arena().describe(each.id()),
                        each.bytes().offset(),
                        each.bytes().end()))
                .toList();
    }

    @Override
    GpuBindGroup.Range range() {
        return range;
    }

    @Override
    public long offset() {
        return segmentStart + range().offset();
    }

    @Override
    public long offsetOf(NodeId id) {
        long begin = side.begin(id) - offset();
        if (begin < 0 || side.end(id) - offset() > bytes() || !side.holds(id)) {
            throw new IllegalArgumentException(side.arena().describe(id) + ": expected a value within the window of "
                    + bytes() + " bytes at " + offset() + ", got one that is not");
        }
        return begin;
    }

    @Override
    public long offsetOf(NodeId id, long firstByte) {
        long begin = side.begin(id);
        long length = side.end(id) - begin;
        long at = begin + firstByte - offset();
        if (firstByte < 0 || firstByte >= length || at < 0 || at >= bytes()) {
            throw new IllegalArgumentException(side.arena().describe(id) + ": expected a byte of its " + length
                    + " within the window of " + bytes() + " bytes at " + offset() + ", got byte " + firstByte);
        }
        return at;
    }
}
