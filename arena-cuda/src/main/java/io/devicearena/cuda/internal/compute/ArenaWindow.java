package io.devicearena.cuda.internal.compute;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.kernel.Window;
import io.devicearena.spi.memory.F16Mirrors;
import io.devicearena.spi.memory.MirrorEffects;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A range of the arena or of its shadow. Threads: immutable. */
record ArenaWindow(CudaKernels owner, boolean isShadow, long offset, long bytes, List<Part> parts)
        implements Bound, Window {
    /** Makes the window of everything. */
    static ArenaWindow whole(CudaKernels owner, boolean shadow) {
        long bytes = shadow
                ? owner.backend.mirrors().shadowBytes()
                : owner.open.arena().sizeBytes();
        return new ArenaWindow(owner, shadow, 0, bytes, List.of());
    }

    /** Makes the smallest window that covers values, or their mirrors. */
    static ArenaWindow covering(CudaKernels owner, boolean shadow, List<NodeId> nodes) {
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("window: expected 1 or more values to cover, got none");
        }
        long begin = Long.MAX_VALUE;
        long end = 0;
        List<Part> parts = new ArrayList<>();
        for (NodeId id : nodes) {
            BufferSlot slot = owner.requireBytes(id, shadow);
            parts.add(new Part(id, slot));
            begin = Math.min(begin, begin(slot, shadow));
            end = Math.max(end, end(slot, shadow));
        }
        return new ArenaWindow(owner, shadow, begin, end - begin, List.copyOf(parts));
    }

    /** Makes the window of a part of a value, or of its mirror. */
    static ArenaWindow ofPart(CudaKernels owner, boolean shadow, NodeId id, long firstByte, long bytes) {
        BufferSlot slot = owner.requireBytes(id, shadow);
        long most = end(slot, shadow) - begin(slot, shadow);
        if (firstByte < 0 || bytes < 1 || bytes > most || firstByte > most - bytes) {
            throw new IllegalArgumentException(owner.describe(id) + ": expected a part within its " + most
                    + " bytes, got " + bytes + " bytes from " + firstByte);
        }
        int scale = shadow ? 2 : 1;
        BufferSlot part = new BufferSlot(slot.offset() + scale * firstByte, scale * bytes);
        return new ArenaWindow(owner, shadow, begin(slot, shadow) + firstByte, bytes, List.of(new Part(id, part)));
    }

    private static long begin(BufferSlot slot, boolean shadow) {
        return shadow ? slot.offset() / 2 : slot.offset();
    }

    private static long end(BufferSlot slot, boolean shadow) {
        return shadow ? F16Mirrors.end(slot) : slot.end();
    }

    /** The mirrors of the values. */
    Stream<MirrorEffects.Mirror> mirrors() {
        return parts.stream()
                .map(part -> new MirrorEffects.Mirror(
                        owner.backend.mirrors(), owner.open.requireSlot(part.id()), owner.describe(part.id())));
    }

    @Override
    public String noun() {
        return isShadow ? "window of the f16 shadow" : "window of the arena";
    }

    @Override
    public long address() {
        return (isShadow ? owner.backend.shadow() : owner.backend.arena()) + offset;
    }

    @Override
    public long offsetOf(NodeId id) {
        BufferSlot slot = owner.open.requireSlot(id);
        long at = begin(slot, isShadow) - offset;
        if (at < 0 || end(slot, isShadow) - offset > bytes) {
            throw new IllegalArgumentException(owner.describe(id) + ": expected a value within the window of " + bytes
                    + " bytes at " + offset + ", got one that is not");
        }
        return at;
    }

    @Override
    public long offsetOf(NodeId id, long firstByte) {
        BufferSlot slot = owner.open.requireSlot(id);
        long begin = begin(slot, isShadow);
        long length = end(slot, isShadow) - begin;
        long at = begin + firstByte - offset;
        if (firstByte < 0 || firstByte >= length || at < 0 || at >= bytes) {
            throw new IllegalArgumentException(owner.describe(id) + ": expected a byte of its " + length
                    + " within the window of " + bytes + " bytes at " + offset + ", got byte " + firstByte);
        }
        return at;
    }
}
