package io.devicearena.spi;

import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.spi.memory.GuardedMemory;
import io.devicearena.spi.memory.Span;
import io.devicearena.spi.observation.ExecutionChecks;
import java.util.List;
import java.util.Optional;

/**
 * An arena or a view, as the objects of its backend see it that work on it by themselves, such as programs of kernels.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public interface OpenArena {
    /** {@return the arena, which stays reachable as long as this is} */
    DeviceArena arena();

    /**
     * Requires that the arena can be used.
     *
     * @throws IllegalStateException if it is closed
     */
    void requireOpen();

    /**
     * Finds the slot of a value.
     *
     * @param id the value
     * @return where it is
     * @throws IllegalArgumentException if it has no slot
     */
    BufferSlot requireSlot(NodeId id);

    /** {@return the memory of the arena and its views, which counts calls and keeps deferred reads} */
    GuardedMemory memory();

    /** {@return what checks the execution; empty for an arena without} */
    Optional<ExecutionChecks> checks();

    /** {@return the arena whose weights this one uses; empty for none} */
    Optional<OpenArena> weightsInFront();

    /**
     * Checks a batch of writes. Nothing has been written when it throws.
     *
     * @param batch the writes
     * @return what to write
     * @throws IllegalArgumentException if a value has no slot, a type is not that of the plan, or a range lies outside
     *     the arena or its value
     * @throws WrongThreadException if a source is confined to another thread
     * @throws IllegalStateException if the memory of a source is closed
     */
    List<Span> writes(Batch batch);

    /**
     * Checks a batch of reads. Nothing has been read when it throws.
     *
     * @param batch the reads
     * @param byAnyThread whether another thread may write the destinations
     * @return what to read
     * @throws IllegalArgumentException if a value has no slot, a type is not that of the plan, a range lies outside the
     *     arena, or a destination is read-only, or confined although any thread may write it
     * @throws WrongThreadException if a destination is confined to another thread
     * @throws IllegalStateException if the memory of a destination is closed
     */
    List<Span> reads(Batch batch, boolean byAnyThread);
}
