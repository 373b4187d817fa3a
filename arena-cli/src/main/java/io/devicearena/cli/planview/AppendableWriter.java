package io.devicearena.cli.planview;

import java.io.IOException;
import java.io.Writer;
import java.nio.CharBuffer;

/**
 * Adapts an appendable to a writer. Closing the writer leaves the appendable open.
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
        // this class buffers nothing, and an appendable cannot be flushed
    }

    @Override
    public void close() {
        // the caller owns the target
    }
}
