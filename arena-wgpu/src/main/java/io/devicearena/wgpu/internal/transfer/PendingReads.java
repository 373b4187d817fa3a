package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reads of an arena that were begun and have not ended.
 *
 * <p>It knows the handles weakly: a handle keeps its arena, and an arena that only its own handles keep can be dropped.
 * Staging of handles that were dropped is found and given back with the next read that is begun. Threads: safe for any
 * thread.
 */
public final class PendingReads {
    private record Entry(WeakReference<PendingRead> read, StagingBuffer staging) {}

    private final List<Entry> entries = new ArrayList<>();
    private @Nullable String closed;

    /** Makes a list without any. */
    public PendingReads() {}

    PendingRead add(PendingRead read) {
        String reason;
        synchronized (this) {
            dropForgotten();
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

    private void dropForgotten() {
        for (Iterator<Entry> left = entries.iterator(); left.hasNext(); ) {
            Entry entry = left.next();
            if (entry.read().get() == null) {
                left.remove();
                entry.staging().close();
            }
        }
    }

    /** The read has ended; its staging is no longer our concern. */
    synchronized void remove(StagingBuffer staging) {
        entries.removeIf(entry -> entry.staging() == staging);
    }

    /**
     * Ends every read, and each that is begun from now on.
     *
     * @param reason the message of the exception that who awaits one gets
     */
    public void close(String reason) {
        List<PendingRead> live = new ArrayList<>();
        synchronized (this) {
            closed = reason;
            dropForgotten();
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
