package io.devicearena.cli.planview;

import java.io.IOException;
import java.io.Writer;
import java.nio.CharBuffer;

/**
 * Lets a generator that wants a writer write to any appendable; closing it leaves the target open.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
final class AppendableWriter extends Writer {
    private final Appendable target;

    AppendableWriter(Appendable target) {
        this.target = target;
    }

    @Override
    public void write(char[] characters, int offset, int length) throws IOException {
        target.append(CharBuffer.wrap(characters, offset, length));
    }

    @Override
    public void flush() {
        // nothing is held back here; whether the target flushes is its owner's business
    }

    @Override
    public void close() {
        // the target is the caller's
    }
}
