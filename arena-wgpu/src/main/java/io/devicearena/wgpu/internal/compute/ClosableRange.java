package io.devicearena.wgpu.internal.compute;

import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.lifetime.Uses;

/**
 * A buffer beside the arena. It is freed when it is closed and no program uses it. Threads: safe for any thread.
 */
abstract class ClosableRange extends BoundRange {
    private final ArenaContext arena;
    private final String label;
    private final GpuBindGroup.Range range;
    private final Uses uses;

    ClosableRange(ArenaContext arena, String kind, String label, GpuBuffer buffer) {
        super(arena.backend().kernels(), kind);
        this.arena = arena;
        this.label = label;
        this.range = new GpuBindGroup.Range(buffer, 0, buffer.bytes());
        this.uses = ArenaKernels.uses(arena, this::free);
    }

    /** Frees the memory. */
    abstract void free();

    @Override
    final GpuBindGroup.Range range() {
        return range;
    }

    final ArenaContext arena() {
        return arena;
    }

    @Override
    final void hold(Holds holds) {
        enter();
        holds.add(this::leave);
    }

    /** Begins a use; {@link #leave} must follow. Throws if the buffer is closed. */
    final void enter() {
        if (!uses.acquire()) {
            throw closed();
        }
    }

    /** Throws if the buffer is closed, also while programs use it. */
    final void requireOpen() {
        if (uses.isClosed()) {
            throw closed();
        }
    }

    private IllegalStateException closed() {
        return new IllegalStateException(this + " is closed; make a new one, or close it later");
    }

    /** Ends a use. */
    final void leave() {
        uses.release();
    }

    /** Closes the buffer; a second call does nothing. */
    public final void close() {
        uses.close();
    }

    /** The kind of the buffer and its name. */
    @Override
    public final String toString() {
        return kind() + " '" + label + "'";
    }
}
