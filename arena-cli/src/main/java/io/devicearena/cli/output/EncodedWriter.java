package io.devicearena.cli.output;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.util.Locale;

/**
 * Writes text in the encoding of the user's locale. A character that the encoding lacks is written as its escape, for
 * example {@code \}{@code u00e9}: a question mark in its place would hide which file or value is meant.
 */
final class EncodedWriter extends Writer {
    private final Writer target;
    private final CharsetEncoder encoder;
    private final boolean complete; // it encodes all of Unicode

    EncodedWriter(OutputStream target, Charset charset) {
        this.target = new OutputStreamWriter(target, charset);
        this.encoder = charset.newEncoder();
        this.complete = charset.name().startsWith("UTF-");
    }

    @Override
    public void write(char[] text, int offset, int length) throws IOException {
        if (complete) {
            target.write(text, offset, length);
            return;
        }
        for (int i = offset; i < offset + length; i++) {
            if (encoder.canEncode(text[i])) {
                target.write(text[i]);
            } else {
                target.write(String.format(Locale.ROOT, "\\u%04x", (int) text[i]));
            }
        }
    }

    @Override
    public void flush() throws IOException {
        target.flush();
    }

    @Override
    public void close() throws IOException {
        target.close();
    }
}
