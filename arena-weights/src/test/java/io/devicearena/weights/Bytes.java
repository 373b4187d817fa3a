package io.devicearena.weights;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Bytes in little-endian order, one after the other. */
final class Bytes {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Bytes raw(byte... bytes) {
        out.writeBytes(bytes);
        return this;
    }

    Bytes u32(long value) {
        return raw(ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt((int) value)
                .array());
    }

    Bytes u64(long value) {
        return raw(ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array());
    }

    Bytes f32(float value) {
        return u32(Float.floatToRawIntBits(value));
    }

    /** A text as GGUF has it: its length in 8 bytes, and UTF-8. */
    Bytes text(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return u64(utf8.length).raw(utf8);
    }

    Bytes ascii(String text) {
        return raw(text.getBytes(StandardCharsets.US_ASCII));
    }

    Bytes paddedTo(int multiple) {
        while (out.size() % multiple != 0) {
            out.write(0);
        }
        return this;
    }

    byte[] array() {
        return out.toByteArray();
    }

    /** A safetensors file: the header's length, the header, the data. */
    static byte[] safetensors(String header, byte... data) {
        byte[] utf8 = header.getBytes(StandardCharsets.UTF_8);
        return new Bytes().u64(utf8.length).raw(utf8).raw(data).array();
    }
}
