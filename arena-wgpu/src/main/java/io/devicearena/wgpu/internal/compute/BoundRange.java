package io.devicearena.wgpu.internal.compute;

import io.devicearena.kernel.Binding;
import io.devicearena.wgpu.internal.arena.KernelCache;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import java.util.List;

/** A range of a buffer that kernels of one arena can be bound to. Threads: safe for any thread. */
abstract class BoundRange implements Binding {
    /** Identifies the arena. */
    final KernelCache owner;
    /** What it is in messages, without an article. */
    final String kind;

    /** Makes a range of the memory of an arena. */
    BoundRange(KernelCache owner, String kind) {
        this.owner = owner;
        this.kind = kind;
    }

    /** The bytes in their buffer; those of a uniform have a place only while it is held. */
    abstract GpuBindGroup.Range range();

    /**
     * Bytes of a binding that a kernel uses. Threads: immutable.
     *
     * @param what the name of the bytes in messages
     */
    record Part(String what, long begin, long end) {}

    /** What a kernel uses of the buffer. */
    List<Part> parts() {
        return List.of(new Part(noun(), range().offset(), range().offset() + bytes()));
    }

    /** Keeps the bytes for a program; throws if the binding is closed. */
    void hold(Holds holds) {
        // windows: the arena keeps its memory
    }

    @Override
    public long bytes() {
        return range().bytes();
    }

    /** The bytes that have a content. */
    long filledBytes() {
        return bytes();
    }

    /** What it is in messages. */
    final String noun() {
        return (kind.startsWith("e") ? "an " : "a ") + kind;
    }
}
