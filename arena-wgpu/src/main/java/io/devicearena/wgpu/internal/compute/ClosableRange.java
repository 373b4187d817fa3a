package io.devicearena.wgpu.internal.compute;

import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;

/**
 * A buffer beside the arena. It is freed when it is closed and no program uses it. Threads: safe for any thread.
 */
abstract class ClosableRange extends BoundRange {
    final ArenaContext arena;
    private final String label;
    private final GpuBindGroup.Range range;
    /** The users of the buffer. */
    final ArenaUses uses;

    /**
     * Takes over memory beside the arena.
     *
     * @param owned what the arena frees: the buffer, or what has it
     */
    ClosableRange(ArenaContext arena, String kind, String label, GpuBuffer buffer, Object owned) {
        super(arena.backend().kernels(), kind);
        this.arena = arena;
        this.label = label;
        this.range = new GpuBindGroup.Range(buffer, 0, buffer.bytes());
        this.uses = new ArenaUses(
                arena,
                this + " is closed; make a new one, or close it later",
                () -> arena.backend().kernels().free(owned));
    }

    @Override
    final GpuBindGroup.Range range() {
        return range;
    }

    @Override
    final void hold(Holds holds) {
        uses.hold(holds);
    }

    /** Closes the buffer; a second call does nothing. */
    public final void close() {
        uses.close();
    }

    /** The kind of the buffer and its name. */
    @Override
    public final String toString() {
        return kind + " '" + label + "'";
    }
}
