package io.devicearena.wgpu.internal.compute;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.kernel.Window;
import java.util.List;

/** A range of the arena or of its shadow. Threads: immutable. */
final class ArenaWindow extends BoundRange implements Window {
    /** The unit of the length of a window in bytes, so that kernels can read vectors of four words. */
    private static final long VECTOR = 16;

    private final ArenaContext arena;
    private final boolean shadow;
    private final List<NodeId> nodes;

    private ArenaWindow(ArenaContext arena, boolean shadow, List<NodeId> nodes, GpuBindGroup.Range range) {
        super(arena.kernels(), range);
        this.arena = arena;
        this.shadow = shadow;
        this.nodes = nodes;
    }

    /** Makes a window of the whole arena, or of its whole shadow. */
    static ArenaWindow whole(ArenaContext arena, boolean shadow) {
        long bytes = shadow ? arena.shadowBytes() : arena.sizeBytes();
        long most = arena.device().limits().maxBindingBytes();
        if (bytes > most) {
            throw new IllegalArgumentException("arena: expected at most " + most
                    + " bytes (maxStorageBufferBindingSize) to bind it as a whole, got " + bytes
                    + "; bind windows of it");
        }
        GpuBuffer buffer = buffer(arena, shadow);
        return new ArenaWindow(
                arena,
                shadow,
                List.of(),
                new GpuBindGroup.Range(buffer, 0, Math.min(bytes + (VECTOR - 1) & -VECTOR, most & -VECTOR)));
    }

    /** Makes a window at any offset where a binding may begin; it names no values. */
    static ArenaWindow part(ArenaContext arena, boolean shadow, long begin, long bytes) {
        GpuBuffer buffer = buffer(arena, shadow);
        return new ArenaWindow(
                arena,
                shadow,
                List.of(),
                new GpuBindGroup.Range(buffer, begin, Math.min(bytes, buffer.bytes() - begin)));
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
        long alignment = arena.device().limits().storageAlignment();
        long most = arena.device().limits().maxBindingBytes();
        long begin = begin(arena, shadow, first) & -alignment;
        long end = end(arena, shadow, last);
        if (end - begin > most) {
            throw new IllegalArgumentException(
                    first.equals(last)
                            ? first + ": expected at most " + most
                                    + " bytes (maxStorageBufferBindingSize) to bind, got " + (end - begin)
                                    + "; let kernels work on parts of it"
                            : "window: expected at most " + most
                                    + " bytes (maxStorageBufferBindingSize) from the first to"
                                    + " the last value, got " + (end - begin) + " from " + first + " at "
                                    + begin(arena, shadow, first) + " to " + last + ", which ends at " + end
                                    + "; bind them as separate windows");
        }
        GpuBuffer buffer = buffer(arena, shadow);
        long rounded = Math.min((end + (VECTOR - 1) & -VECTOR) - begin, most & -VECTOR);
        long bytes = Math.min(Math.max(rounded, end - begin + 3 & -4), buffer.bytes() - begin);
        return new ArenaWindow(arena, shadow, List.copyOf(nodes), new GpuBindGroup.Range(buffer, begin, bytes));
    }

    private static void requireBytes(ArenaContext arena, boolean shadow, NodeId id) {
        BufferSlot slot = arena.slot(id);
        if (slot.size() == 0) {
            throw new IllegalArgumentException(id + ": expected a value with bytes, got one of 0 bytes");
        }
        if (shadow && !arena.hasMirror(slot)) {
            throw arena.noMirror(id);
        }
        if (shadow && slot.size() < Float.BYTES) {
            throw new IllegalArgumentException(
                    id + ": expected a value of one f32 or more, got " + slot.size() + " bytes");
        }
    }

    private static long begin(ArenaContext arena, boolean shadow, NodeId id) {
        return shadow ? arena.slot(id).offset() / 2 : arena.slot(id).offset();
    }

    private static long end(ArenaContext arena, boolean shadow, NodeId id) {
        BufferSlot slot = arena.slot(id);
        return shadow ? slot.offset() / 2 + (slot.size() / Float.BYTES * Short.BYTES + 3 & -4) : slot.end();
    }

    private static GpuBuffer buffer(ArenaContext arena, boolean shadow) {
        return shadow ? arena.buffers().shadow() : arena.buffers().arena();
    }

    boolean isShadow() {
        return shadow;
    }

    /** The values that the window was made for; none for the whole arena. */
    List<NodeId> nodes() {
        return nodes;
    }

    @Override
    String noun() {
        return shadow ? "a window of the f16 shadow" : "a window of the arena";
    }

    @Override
    public long offset() {
        return range().offset();
    }

    @Override
    public long offsetOf(NodeId id) {
        long begin = begin(arena, shadow, id) - offset();
        if (begin < 0 || end(arena, shadow, id) - offset() > bytes() || (shadow && !arena.hasMirror(arena.slot(id)))) {
            throw new IllegalArgumentException(id + ": expected a value within the window of " + bytes() + " bytes at "
                    + offset() + ", got one that is not");
        }
        return begin;
    }
}
