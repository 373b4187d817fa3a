package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.internal.builtin.Gather;
import io.devicearena.wgpu.internal.builtin.KernelParameters;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuLimits;
import java.lang.foreign.Arena;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of one arena: its own, and that of its f16 shadow if it has one. It also keeps the bind groups with which
 * the kernels of this backend reach them.
 *
 * <p>Threads: safe for any thread. Lifetime: until {@link #close}; no transfer may be under way then.
 */
public final class ArenaBuffers implements AutoCloseable {
    private final TransferPools pools;
    private final GpuBuffer arena;
    private final @Nullable GpuBuffer shadow;
    /** Releases the bind groups. */
    private final Arena memory = Arena.ofShared();

    // each bind group is created when its window is first needed, by the index of the window
    private final Map<Integer, GpuBindGroup> arenaMerges = new HashMap<>();
    private final Map<Integer, GpuBindGroup> shadowMerges = new HashMap<>();
    private final Map<Integer, GpuBindGroup> casts = new HashMap<>();
    private final Map<Integer, GpuBindGroup> gathers = new HashMap<>();

    /**
     * Takes ownership of the buffers.
     *
     * @param arena the arena; its size is a multiple of {@link GpuLimits#MAX_BINDING_ALIGNMENT}
     * @param shadow the f16 shadow, of such a size too; null for none
     */
    public ArenaBuffers(TransferPools pools, GpuBuffer arena, @Nullable GpuBuffer shadow) {
        this.pools = pools;
        this.arena = arena;
        this.shadow = shadow;
    }

    /** The buffer of the arena. */
    public GpuBuffer arena() {
        return arena;
    }

    /** The buffer of the f16 shadow, which must exist. */
    public GpuBuffer shadow() {
        if (shadow == null) {
            throw new AssertionError("the arena has no shadow");
        }
        return shadow;
    }

    /** Records a write to some bytes of a word of one of the buffers. */
    void recordMerge(Commands commands, GpuBuffer to, long offset, int mask, int bits, KernelParameters parameters) {
        long window = pools.merge().window();
        int index = Math.toIntExact(offset / window);
        long word = (offset - index * window) / Integer.BYTES;
        pools.merge().record(commands, mergeGroup(to, index), word, mask, bits, parameters);
    }

    private GpuBindGroup mergeGroup(GpuBuffer buffer, Integer index) {
        Map<Integer, GpuBindGroup> groups = buffer == arena ? arenaMerges : shadowMerges;
        synchronized (groups) {
            GpuBindGroup group = groups.get(index);
            if (group == null) {
                group = pools.merge().bind(buffer, index, memory);
                groups.put(index, group);
            }
            return group;
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
    void recordCast(Commands commands, long offset, long elements, boolean padded, KernelParameters parameters) {
        long pairs = (elements + 1) / 2;
        long window = pools.cast().window();
        long begin = offset;
        long end = offset + pairs * 8;
        while (begin < end) {
            int index = Math.toIntExact(begin / window);
            long stop = Math.min(end, (index + 1) * window);
            boolean odd = padded && stop == end && (elements & 1) == 1;
            pools.cast()
                    .record(
                            commands,
                            castGroup(index),
                            (begin - index * window) / 8,
                            (stop - begin) / 8,
                            odd,
                            parameters);
            begin = stop;
        }
    }

    private GpuBindGroup castGroup(Integer index) {
        synchronized (casts) {
            GpuBindGroup group = casts.get(index);
            if (group == null) {
                group = pools.cast().bind(arena, shadow(), index, memory);
                casts.put(index, group);
            }
            return group;
        }
    }

    /** The bind group with which {@link Gather} reads a window of the arena. */
    GpuBindGroup gatherGroup(Integer index) {
        synchronized (gathers) {
            GpuBindGroup group = gathers.get(index);
            if (group == null) {
                group = pools.gather().bindArena(arena, index, memory);
                gathers.put(index, group);
            }
            return group;
        }
    }

    @Override
    public void close() {
        if (memory.scope().isAlive()) {
            memory.close();
        }
        arena.close();
        if (shadow != null) {
            shadow.close();
        }
    }
}
