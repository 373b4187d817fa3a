package io.devicearena.spi;

import io.devicearena.BufferSlot;
import io.devicearena.F16Shadow;
import io.devicearena.NodeId;
import io.devicearena.spi.memory.F16Mirrors;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The f16 shadow of an arena or a view in front of every backend that has one: it checks every argument, and marks the
 * mirrors.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public final class ArenaF16Shadow implements F16Shadow {
    private final OpenArena arena;
    private final Memory memory;

    /**
     * The memory of a shadow, which its backend implements. It gets checked arguments, as {@link ArenaBackend} does.
     *
     * <p><b>Threads:</b> safe for any thread.
     */
    public interface Memory {
        /** {@return the mirrors of the values} */
        F16Mirrors mirrors();

        /**
         * Writes host floats, cast to F16.
         *
         * @param offset bytes from the shadow's start, a multiple of 2
         * @param source f32 elements, {@code elements} of them or more
         * @param elements how many to write from the start of {@code source}, 1 or more
         */
        void writeShadow(long offset, MemorySegment source, long elements);

        /**
         * Casts the current bytes of a value into its mirror, on the device; a zero follows an odd last element.
         *
         * @param slot a value of 4 bytes or more with a mirror
         */
        void refresh(BufferSlot slot);

        /**
         * Reads bytes of the shadow.
         *
         * @param offset bytes from the shadow's start
         * @param destination 1 byte or more
         */
        void readShadow(long offset, MemorySegment destination);
    }

    private ArenaF16Shadow(OpenArena arena, Memory memory) {
        this.arena = arena;
        this.memory = memory;
    }

    /**
     * Makes the shadow of an arena, for {@link ArenaBackend#unwrap}.
     *
     * @param arena the arena or view that is asked
     * @param memory its memory
     * @return the shadow, or empty if it has no byte
     */
    public static Optional<F16Shadow> of(OpenArena arena, Memory memory) {
        return memory.mirrors().shadowBytes() == 0 ? Optional.empty() : Optional.of(new ArenaF16Shadow(arena, memory));
    }

    /**
     * Finds the slot of a value with a mirror.
     *
     * @param arena the arena or view of the value
     * @param mirrors the mirrors of its values
     * @param id the value
     * @return where the value is in the arena
     * @throws IllegalArgumentException if it has no slot, or no mirror
     */
    public static BufferSlot requireMirror(OpenArena arena, F16Mirrors mirrors, NodeId id) {
        BufferSlot slot = arena.requireSlot(id);
        if (!mirrors.has(slot)) {
            throw new IllegalArgumentException(
                    arena.arena().plan().describe(id) + ": expected a value with a mirror in the shadow of "
                            + mirrors.shadowBytes() + " bytes, got one without; ask fits first");
        }
        return slot;
    }

    private BufferSlot requireMirror(NodeId id) {
        return requireMirror(arena, memory.mirrors(), Objects.requireNonNull(id, "id"));
    }

    @Override
    public long sizeBytes() {
        arena.requireOpen();
        return memory.mirrors().shadowBytes();
    }

    @Override
    public boolean fits(NodeId id) {
        return arena.arena().hasBuffer(id) && memory.mirrors().has(arena.requireSlot(id));
    }

    @Override
    public OptionalLong byteOffset(NodeId id) {
        return fits(id) ? OptionalLong.of(arena.requireSlot(id).offset() / 2) : OptionalLong.empty();
    }

    @Override
    public boolean isStale(NodeId id) {
        return fits(id) && memory.mirrors().isStale(arena.requireSlot(id));
    }

    @Override
    public long write(NodeId id, float[] data) {
        return write(id, MemorySegment.ofArray(Objects.requireNonNull(data, "data")));
    }

    @Override
    public long write(NodeId id, MemorySegment data) {
        ArenaChecks.requireFloats("data", data);
        BufferSlot slot = requireMirror(id);
        CallerMemory.requireAccess("data", data);
        long capacity = slot.size() / Float.BYTES;
        long count = Math.min(data.byteSize() / Float.BYTES, capacity);
        if (count > 0) {
            run(() -> {
                long offset = slot.offset() / 2;
                memory.writeShadow(offset, data, count);
                if (count == capacity && count % 2 == 1) {
                    memory.writeShadow(offset + count * Short.BYTES, MemorySegment.ofArray(new float[1]), 1);
                }
                memory.mirrors().markFresh(slot.offset(), slot.size());
            });
        }
        return count;
    }

    @Override
    public void refresh(NodeId id) {
        BufferSlot slot = requireMirror(id);
        run(() -> {
            // before the cast: a write meanwhile makes it stale again
            memory.mirrors().markFresh(slot.offset(), slot.size());
            if (slot.size() >= Float.BYTES) {
                memory.refresh(slot);
            }
        });
    }

    @Override
    public void readBytes(long offset, MemorySegment destination) {
        Objects.requireNonNull(destination, "destination");
        long size = sizeBytes();
        long length = destination.byteSize();
        CallerMemory.requireWritable("destination", destination);
        if (offset < 0 || length > size || offset > size - length) {
            throw new IllegalArgumentException("range: expected one within the shadow of " + size
                    + " bytes, got offset " + offset + " and length " + length);
        }
        CallerMemory.requireAccess("destination", destination);
        if (length > 0) {
            run(() -> memory.readShadow(offset, destination));
        }
    }

    private void run(Runnable call) {
        arena.requireOpen();
        arena.memory().enter();
        try {
            call.run();
        } finally {
            arena.memory().leave();
        }
    }
}
