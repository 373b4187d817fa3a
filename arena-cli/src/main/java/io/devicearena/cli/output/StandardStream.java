package io.devicearena.cli.output;

import io.devicearena.cli.message.IoErrorText;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/**
 * Standard output or standard error as a writer of text. A {@link PrintWriter} keeps silent about bytes that were not
 * written; standard output throws at the next flush.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class StandardStream extends PrintWriter {
    private final Sink sink;

    StandardStream(OutputStream target, Charset charset) {
        this(new Sink(target), charset);
    }

    private StandardStream(Sink sink, Charset charset) {
        super(new BufferedWriter(new EncodedWriter(sink, charset)));
        this.sink = sink;
    }

    /**
     * Opens standard output.
     *
     * @return a writer whose {@link #flush} throws when a byte could not be written
     */
    public static StandardStream output() {
        return new StandardStream(new FileOutputStream(FileDescriptor.out), charset("stdout.encoding"));
    }

    /**
     * Opens standard error.
     *
     * @return a writer that ignores what cannot be written, since no other stream could report it
     */
    public static PrintWriter error() {
        return new PrintWriter(
                new BufferedWriter(
                        new EncodedWriter(new FileOutputStream(FileDescriptor.err), charset("stderr.encoding"))),
                true);
    }

    private static Charset charset(String property) {
        String name = System.getProperty(property);
        return name != null && Charset.isSupported(name) ? Charset.forName(name) : Charset.defaultCharset();
    }

    /**
     * Writes what is buffered.
     *
     * @throws UncheckedIOException once, if bytes could not be written now or earlier
     */
    @Override
    public void flush() {
        super.flush();
        sink.throwFault();
    }

    /** Keeps the first fault, and ignores what is written after it. */
    private static final class Sink extends OutputStream {
        private final OutputStream target;
        private boolean failed;
        private @Nullable IOException fault;

        Sink(OutputStream target) {
            this.target = target;
        }

        @Override
        public void write(int value) {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            if (!failed) {
                try {
                    target.write(bytes, offset, length);
                } catch (IOException e) {
                    fail(e);
                }
            }
        }

        @Override
        public void flush() {
            if (!failed) {
                try {
                    target.flush();
                } catch (IOException e) {
                    fail(e);
                }
            }
        }

        private void fail(IOException e) {
            failed = true;
            fault = new IOException(
                    "standard output: writing failed: " + IoErrorText.why(e)
                            + "; direct it to a file or program that takes all of it",
                    e);
        }

        void throwFault() {
            IOException found = fault;
            if (found != null) {
                fault = null;
                throw new UncheckedIOException(found);
            }
        }
    }
}
