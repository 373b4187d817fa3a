package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The deferred reads of an arena that have not ended.
 *
 * <p>It refers to the handles weakly: a handle keeps its arena reachable, and an arena that only its own handles keep
 * must remain collectable. The next read that begins closes the staging of handles that were dropped.
 *
 * <p>Threads: safe for any thread.
 */
public final class PendingReads {
    private record Entry(WeakReference<PendingRead> read, StagingBuffer staging) {}

    private final List<Entry> entries = new ArrayList<>();
    private @Nullable String closed;

    /** Makes an empty list. */
    public PendingReads() {}

    PendingRead add(PendingRead read) {
        String reason;
        synchronized (this) {
            closeDropped();
            reason = closed;
            if (reason == null) {
                entries.add(new Entry(new WeakReference<>(read), read.staging()));
            }
        }
        if (reason != null) {
            read.fail(reason);
        }
        return read;
    }

    private void closeDropped() {
        for (Iterator<Entry> all = entries.iterator(); all.hasNext(); ) {
            Entry entry = all.next();
            if (entry.read().get() == null) {
                all.remove();
                entry.staging().close();
            }
        }
    }

    /** Removes a read that has ended; its staging belongs to it no longer. */
    synchronized void remove(StagingBuffer staging) {
        entries.removeIf(entry -> entry.staging() == staging);
    }

    /**
     * Ends every read, and each read that begins from now on.
     *
     * @param reason the message of the exception that {@code await} throws
     */
    public void close(String reason) {
        List<PendingRead> live = new ArrayList<>();
        synchronized (this) {
            closed = reason;
            closeDropped();
            for (Entry entry : entries) {
                PendingRead read = entry.read().get();
                if (read != null) {
                    live.add(read);
                }
            }
        }
        live.forEach(read -> read.fail(reason));
    }
}
