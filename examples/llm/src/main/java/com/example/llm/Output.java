package com.example.llm;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where a command writes. What cannot be written ends the command: a reader that went away wants no more.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
final class Output {
    private final PrintStream out;

    Output(PrintStream out) {
        this.out = new PrintStream(out, false, StandardCharsets.UTF_8);
    }

    /** Writes a text, and waits until it is written. */
    void print(String text) {
        out.print(text);
        if (out.checkError()) { // which flushes too
            throw new OutputException("output: expected an open pipe or room on the disk, got neither", null);
        }
    }

    /** Writes floats to a file, F32, little-endian. */
    static void write(Path file, float[] values) {
        ByteBuffer bytes = ByteBuffer.allocate(Float.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        try {
            Files.write(file, bytes.array());
        } catch (IOException e) {
            throw new OutputException("--logits: expected a file that can be written, got " + e, e);
        }
    }
}
