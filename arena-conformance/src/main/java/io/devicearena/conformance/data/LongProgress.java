package io.devicearena.conformance.data;

import java.util.concurrent.CancellationException;
import java.util.function.LongConsumer;
import org.opentest4j.AssertionFailedError;

/**
 * Checks the figures of an upload, and may end it.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class LongProgress implements LongConsumer {
    /** The message of what ends an upload. */
    public static final String ENOUGH = "the caller has seen enough";

    private final Thread caller = Thread.currentThread();
    private final long all;
    private final int most;
    private int calls;
    private long last;

    /**
     * Expects the figures of one upload.
     *
     * @param all how many bytes are uploaded
     * @param most the call that ends the upload with a {@link CancellationException}; 0 for none
     */
    public LongProgress(long all, int most) {
        this.all = all;
        this.most = most;
    }

    /** {@return the last figure, 0 before the first} */
    public long last() {
        return last;
    }

    @Override
    public void accept(long written) {
        if (written <= last || written > all || !Thread.currentThread().equals(caller)) {
            throw new AssertionFailedError("progress of an upload of " + all + " bytes: expected more than " + last
                    + " on the calling thread, got " + written + " on " + Thread.currentThread());
        }
        last = written;
        calls++;
        if (calls == most) {
            throw new CancellationException(ENOUGH);
        }
    }

    /** Checks that the upload reported all bytes. */
    public void end() {
        if (last != all) {
            throw new AssertionFailedError("last progress of an upload: expected " + all + ", got " + last);
        }
    }
}
