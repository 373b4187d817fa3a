package io.devicearena.cli.trace;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes values of Python: dictionaries, lists, texts and integers.
 *
 * <p><b>Threads:</b> one thread at a time.
 *
 * <p><b>Source:</b> the module {@code pickletools} of Python 3, protocol 2. A dictionary or a list begins empty, and
 * each item is added as soon as it is written, so that no document lies in memory.
 */
final class Pickle implements AutoCloseable {
    private static final int PROTOCOL = 0x80;
    private static final int VERSION = 2;
    private static final int LONG1 = 0x8a; // the number of bytes, then these, in little-endian order

    private final DataOutputStream target;

    /** Keys, each with its value behind it. */
    @SuppressWarnings("ArrayRecordComponent") // it is written and forgotten, never compared
    record Dictionary(Object... pairs) {}

    Pickle(OutputStream target) throws IOException {
        this.target = new DataOutputStream(new BufferedOutputStream(target));
        this.target.write(PROTOCOL);
        this.target.write(VERSION);
    }

    /** Writes a value: a dictionary, an iterable, a number or a text. */
    void write(Object value) throws IOException {
        switch (value) {
            case Dictionary(Object[] pairs) -> {
                target.write('}');
                for (int i = 0; i < pairs.length; i += 2) {
                    write(pairs[i]);
                    write(pairs[i + 1]);
                    target.write('s');
                }
            }
            case Iterable<?> items -> {
                target.write(']');
                for (Object item : items) {
                    write(item);
                    target.write('a');
                }
            }
            case Number number -> {
                target.write(LONG1);
                target.write(Long.BYTES);
                target.writeLong(Long.reverseBytes(number.longValue()));
            }
            case Object text -> {
                byte[] utf8 = text.toString().getBytes(StandardCharsets.UTF_8);
                target.write('X');
                target.writeInt(Integer.reverseBytes(utf8.length));
                target.write(utf8);
            }
        }
    }

    @Override
    public void close() throws IOException {
        target.write('.');
        target.close();
    }
}
