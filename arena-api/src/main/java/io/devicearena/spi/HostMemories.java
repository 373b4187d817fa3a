package io.devicearena.spi;

import io.devicearena.DeviceArena;
import io.devicearena.HostMemory;
import io.devicearena.spi.memory.HostAllocation;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The host memory that was allocated from one arena, which is freed with it. Must not refer to the arena.
 *
 * <p>Threads: safe for any thread.
 */
final class HostMemories {
    private final List<Entry> entries = new ArrayList<>();
    private boolean closed;

    /** One allocation. Threads: safe for any thread. */
    private static final class Entry {
        private final HostAllocation allocation;
        private final long bytes;
        private volatile boolean open = true;

        Entry(HostAllocation allocation, long bytes) {
            this.allocation = allocation;
            this.bytes = bytes;
        }
    }

    /** The handle of the caller, which keeps the arena reachable. Threads: safe for any thread. */
    private record Handle(HostMemories memories, Entry entry, DeviceArena arena) implements HostMemory {
        @Override
        public long byteSize() {
            return entry.bytes;
        }

        @Override
        public MemorySegment segment() {
            if (!entry.open) {
                throw new IllegalStateException(
                        "host memory of " + entry.bytes + " bytes is closed; allocate it from an open arena");
            }
            return entry.allocation.segment();
        }

        @Override
        public boolean isOpen() {
            return entry.open;
        }

        @Override
        public void close() {
            memories.free(entry);
        }

        @Override
        public String toString() {
            return "host memory of " + entry.bytes + " bytes" + (entry.open ? "" : " (closed)");
        }
    }

    /** Makes the handle of an allocation, and keeps that until it is freed; frees it if the arena is closed. */
    synchronized HostMemory add(HostAllocation allocation, long bytes, DeviceArena arena) {
        Entry entry = new Entry(allocation, bytes);
        entries.add(entry);
        if (closed) {
            free(entry);
            throw new IllegalStateException("the arena is closed");
        }
        return new Handle(this, entry, arena);
    }

    /** Frees an allocation unless that was done, or throws and has freed nothing; a call after that frees it. */
    private synchronized void free(Entry entry) {
        entry.open = false;
        if (entries.contains(entry)) {
            try {
                entry.allocation.free();
            } catch (IllegalStateException e) {
                throw new IllegalStateException(
                        "host memory of " + entry.bytes
                                + " bytes: a native call still uses it; close it again when that has returned",
                        e);
            }
            entries.remove(entry);
        }
    }

    /** Frees what is not freed yet, or throws; a call after that continues. */
    synchronized void close() {
        closed = true;
        entries.forEach(entry -> entry.open = false);
        while (!entries.isEmpty()) {
            free(entries.getLast());
        }
    }
}
