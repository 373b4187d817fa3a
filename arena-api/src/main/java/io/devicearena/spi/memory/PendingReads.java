package io.devicearena.spi.memory;

import io.devicearena.Transfer;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * The deferred reads of a memory that have not ended.
 *
 * <p>It refers to the handles weakly: a handle keeps its arena reachable, and an arena that only its own handles keep
 * must remain collectable. The next read that begins releases those whose handles were dropped.
 *
 * <p>Threads: safe for any thread.
 */
final class PendingReads {
    private static final String CLOSED = "deferred read ended because its arena was closed; await reads before closing";

    /** A read that has not ended. Threads: immutable. */
    record Entry(WeakReference<PendingRead> read, StagedRead staged) {}

    private final List<Entry> entries = new ArrayList<>();
    private boolean closed;

    /** Makes the handle of a read that the backend has begun. */
    Transfer add(StagedRead staged, long total, Object arena) {
        PendingRead read = new PendingRead(staged, total, arena, this);
        add(read);
        return read;
    }

    /** Adds a read that has begun, for the first time or again. Steps of engines do so, so nothing is allocated. */
    void add(PendingRead read) {
        boolean late;
        synchronized (this) {
            releaseDropped();
            late = closed;
            if (!late) {
                entries.add(read.entry());
            }
        }
        if (late) {
            read.fail(CLOSED);
        }
    }

    private void releaseDropped() {
        for (int i = entries.size() - 1; i >= 0; i--) {
            Entry entry = entries.get(i);
            if (entry.read().get() == null) {
                entries.remove(i);
                entry.staged().release(false);
            }
        }
    }

    /** Removes a read that has ended; it releases what it uses. */
    synchronized void remove(PendingRead read) {
        for (int i = entries.size() - 1; i >= 0; i--) {
            if (entries.get(i).read().refersTo(read)) {
                entries.remove(i);
            }
        }
    }

    /** Ends every read, and each read that begins from now on. */
    void close() {
        List<PendingRead> live = new ArrayList<>();
        synchronized (this) {
            closed = true;
            releaseDropped();
            for (Entry entry : entries) {
                PendingRead read = entry.read().get();
                if (read != null) {
                    live.add(read);
                }
            }
        }
        live.forEach(read -> read.fail(CLOSED));
    }
}
