package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.internal.builtin.Gather;
import io.devicearena.wgpu.internal.builtin.KernelParameters;
import io.devicearena.wgpu.internal.builtin.MirrorCast;

import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of one arena, the shadow being the second where there is one, and what the kernels of this backend need to
 * reach them.
 *
 * <p>Threads: safe for any thread. Lifetime: until {@link #close}; no transfer may be under way then.
 */
public final class ArenaBuffers implements AutoCloseable {
    private final TransferPools pools;
    private final GpuBuffer arena;
    private final @Nullable GpuBuffer shadow;
    // made when a window is first needed, by its index
    private final Map<Integer, GpuBindGroup> arenaMerges = new HashMap<>();
    private final Map<Integer, GpuBindGroup> shadowMerges = new HashMap<>();
    private final Map<Integer, GpuBindGroup> casts = new HashMap<>();
    private final Map<Integer, GpuBindGroup> gathers = new HashMap<>();

    /**
     * Takes both buffers over; sizes are multiples of {@link #SIZE_UNIT}.
     *
     * @param shadow null when there is none
     */
    public ArenaBuffers(TransferPools pools, GpuBuffer arena, @Nullable GpuBuffer shadow) {
        this.pools = pools;
        this.arena = arena;
        this.shadow = shadow;
    }

    /** What the sizes of the buffers are rounded up to, and where a binding may begin on every device. */
    public static final long SIZE_UNIT = 256;

    /**
     * The kernel that makes mirrors, in WGSL: pairs of floats at binding 0, the mirror at binding 1, and at binding 2 the
     * first pair, how many, and whether the last has one float only.
     */
    public static String mirrorCastSource() {
        return MirrorCast.SOURCE;
    }

    /** The arena's own buffer. */
    public GpuBuffer arena() {
        return arena;
    }

    /** The shadow's buffer. */
    public GpuBuffer shadow() {
        if (shadow == null) {
            throw new AssertionError("an arena without a shadow was asked for it");
        }
        return shadow;
    }

    /** Records the change of some bytes of a word of one of the buffers. */
    void recordMerge(Commands commands, GpuBuffer to, long offset, int mask, int bits, KernelParameters notes) {
        long window = pools.merge().window();
        int index = Math.toIntExact(offset / window);
        long word = (offset - index * window) / Integer.BYTES;
        pools.merge().record(commands, mergeGroup(to, index), word, mask, bits, notes);
    }

    private GpuBindGroup mergeGroup(GpuBuffer buffer, Integer index) {
        Map<Integer, GpuBindGroup> groups = buffer == arena ? arenaMerges : shadowMerges;
        synchronized (groups) {
            GpuBindGroup group = groups.get(index);
            if (group == null) {
                group = pools.merge().bind(buffer, index);
                groups.put(index, group);
            }
            return group;
        }
    }

    /**
     * Records the cast of floats to their mirror.
     *
     * @param offset bytes from the arena's start, a multiple of 8
     * @param elements how many; the other half of an odd last pair becomes zero when {@code padded}, else the cast of the
     *     float that is there
     */
    void recordCast(Commands commands, long offset, long elements, boolean padded, KernelParameters notes) {
        long pairs = (elements + 1) / 2;
        long window = pools.cast().window();
        long begin = offset;
        long end = offset + pairs * 8;
        while (begin < end) {
            int index = Math.toIntExact(begin / window);
            long stop = Math.min(end, (index + 1) * window);
            boolean odd = padded && stop == end && (elements & 1) == 1;
            pools.cast()
                    .record(commands, castGroup(index), (begin - index * window) / 8, (stop - begin) / 8, odd, notes);
            begin = stop;
        }
    }

    private GpuBindGroup castGroup(Integer index) {
        synchronized (casts) {
            GpuBindGroup group = casts.get(index);
            if (group == null) {
                group = pools.cast().bind(arena, shadow(), index);
                casts.put(index, group);
            }
            return group;
        }
    }

    /** What {@link Gather} needs to read a window of the arena. */
    GpuBindGroup gatherGroup(Integer index) {
        synchronized (gathers) {
            GpuBindGroup group = gathers.get(index);
            if (group == null) {
                group = pools.gather().bindArena(arena, index);
                gathers.put(index, group);
            }
            return group;
        }
    }

    @Override
    public void close() {
        gathers.values().forEach(GpuBindGroup::close);
        arenaMerges.values().forEach(GpuBindGroup::close);
        shadowMerges.values().forEach(GpuBindGroup::close);
        casts.values().forEach(GpuBindGroup::close);
        arena.close();
        if (shadow != null) {
            shadow.close();
        }
    }
}
