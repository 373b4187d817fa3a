package io.devicearena.conformance;

import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.spi.OpenArena;
import io.devicearena.spi.memory.GuardedMemory;
import io.devicearena.spi.memory.Span;
import io.devicearena.spi.observation.ExecutionChecks;
import java.util.List;
import java.util.Optional;

/** What is built on a reference arena sees of it: the weights alone. Threads: immutable. */
record ReferenceOpen(DeviceArena arena) implements OpenArena {
    @Override
    public Optional<OpenArena> weightsInFront() {
        return arena instanceof ReferenceArena user ? user.weights().map(ReferenceOpen::new) : Optional.empty();
    }

    @Override
    public void requireOpen() {
        arena.plan();
    }

    @Override
    public BufferSlot requireSlot(NodeId id) {
        return arena.plan().slot(id).orElseThrow();
    }

    @Override
    public GuardedMemory memory() {
        throw new UnsupportedOperationException("memory");
    }

    @Override
    public Optional<ExecutionChecks> checks() {
        return arena.unwrap(ExecutionChecks.class);
    }

    @Override
    public List<Span> writes(Batch batch) {
        throw new UnsupportedOperationException("writes");
    }

    @Override
    public List<Span> reads(Batch batch, boolean byAnyThread) {
        throw new UnsupportedOperationException("reads");
    }
}
