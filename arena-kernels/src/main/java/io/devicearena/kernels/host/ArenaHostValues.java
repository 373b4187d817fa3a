package io.devicearena.kernels.host;

import io.devicearena.BufferSlot;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.spi.OpenArena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * The values of an arena whose memory is the host's.
 *
 * <p>An arena that was opened with the weights of another gives the slots of both.
 *
 * <p><b>Threads:</b> one thread at a time.
 *
 * <p><b>Lifetime:</b> that of the arena, which it keeps reachable. The team is the caller's to close.
 */
public final class ArenaHostValues implements HostValues {
    private final DeviceArena arena;
    private final ThreadTeam team;
    private final Map<NodeId, MemorySegment> segments = new HashMap<>();
    private final Map<Class<?>, Object> kept = new HashMap<>();

    /**
     * Makes the view.
     *
     * @param arena an open arena
     * @param team the threads that compute
     * @throws UnsupportedOperationException if the arena's memory is not host memory
     * @throws IllegalStateException if the arena is closed
     */
    public ArenaHostValues(DeviceArena arena, ThreadTeam team) {
        this.arena = arena;
        this.team = Objects.requireNonNull(team, "team");
        addSlots(arena);
        arena.unwrap(OpenArena.class)
                .flatMap(OpenArena::weightsInFront)
                .ifPresent(weights -> addSlots(weights.arena()));
    }

    private void addSlots(DeviceArena source) {
        MemorySegment memory = source.unwrap(MemorySegment.class)
                .orElseThrow(
                        () -> new UnsupportedOperationException("host values: expected an arena in host memory, got "
                                + source + "; open it with provider cpu"));
        for (Map.Entry<NodeId, BufferSlot> entry : source.plan().slots().entrySet()) {
            BufferSlot slot = entry.getValue();
            segments.putIfAbsent(entry.getKey(), memory.asSlice(slot.offset(), slot.size()));
        }
    }

    @Override
    public MemorySegment bytes(NodeId id) {
        MemorySegment bytes = segments.get(id);
        if (bytes == null) {
            throw new IllegalArgumentException(id + ": expected one with a slot in " + arena + ", got none");
        }
        return bytes;
    }

    @Override
    public void parallel(int tasks, IntConsumer body) {
        team.parallel(tasks, body);
    }

    @Override
    public <T> T kept(Class<T> type, Supplier<T> make) {
        return type.cast(kept.computeIfAbsent(type, any -> make.get()));
    }

    @Override
    public int threads() {
        return team.threads();
    }
}
