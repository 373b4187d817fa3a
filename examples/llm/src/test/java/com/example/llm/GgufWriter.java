package com.example.llm;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes a GGUF file of version 3, little-endian, for tests. */
public final class GgufWriter {
    private static final int ALIGNMENT = 32;
    private static final int U32 = 4, I32 = 5, F32 = 6, BOOL = 7, TEXT = 8, ARRAY = 9;

    private record Tensor(int type, List<Long> shape, byte[] data) {}

    private final ByteArrayOutputStream metadata = new ByteArrayOutputStream();
    private final Map<String, Tensor> tensors = new LinkedHashMap<>();
    private int keys;

    private static byte[] little(int bytes, long value) {
        byte[] all = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
        return Arrays.copyOf(all, bytes);
    }

    private static void text(ByteArrayOutputStream out, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.writeBytes(little(8, utf8.length));
        out.writeBytes(utf8);
    }

    private void key(String key, int type) {
        text(metadata, key);
        metadata.writeBytes(little(4, type));
        keys++;
    }

    public GgufWriter with(String key, String value) {
        key(key, TEXT);
        text(metadata, value);
        return this;
    }

    public GgufWriter with(String key, long value) {
        key(key, U32);
        metadata.writeBytes(little(4, value));
        return this;
    }

    public GgufWriter with(String key, float value) {
        key(key, F32);
        metadata.writeBytes(little(4, Float.floatToRawIntBits(value)));
        return this;
    }

    public GgufWriter with(String key, boolean value) {
        key(key, BOOL);
        metadata.write(value ? 1 : 0);
        return this;
    }

    private void array(String key, int type, int length) {
        key(key, ARRAY);
        metadata.writeBytes(little(4, type));
        metadata.writeBytes(little(8, length));
    }

    public GgufWriter withTexts(String key, List<String> values) {
        array(key, TEXT, values.size());
        values.forEach(value -> text(metadata, value));
        return this;
    }

    public GgufWriter withFloats(String key, List<Float> values) {
        array(key, F32, values.size());
        values.forEach(value -> metadata.writeBytes(little(4, Float.floatToRawIntBits(value))));
        return this;
    }

    public GgufWriter withIntegers(String key, List<Integer> values) {
        array(key, I32, values.size());
        values.forEach(value -> metadata.writeBytes(little(4, value)));
        return this;
    }

    /** Adds a tensor; the outermost dimension of the shape is the first; the type is GGML's number. */
    public GgufWriter withTensor(String name, int type, List<Long> shape, byte[] data) {
        tensors.put(name, new Tensor(type, shape, data));
        return this;
    }

    /** Leaves out a tensor that was added. */
    public GgufWriter without(String name) {
        tensors.remove(name);
        return this;
    }

    public Path write(Path file) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes("GGUF".getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(little(4, 3));
        out.writeBytes(little(8, tensors.size()));
        out.writeBytes(little(8, keys));
        out.writeBytes(metadata.toByteArray());
        long offset = 0;
        for (Map.Entry<String, Tensor> entry : tensors.entrySet()) {
            Tensor tensor = entry.getValue();
            text(out, entry.getKey());
            out.writeBytes(little(4, tensor.shape.size()));
            tensor.shape.reversed().forEach(dimension -> out.writeBytes(little(8, dimension)));
            out.writeBytes(little(4, tensor.type));
            out.writeBytes(little(8, offset));
            offset = aligned(offset + tensor.data.length);
        }
        out.writeBytes(new byte[(int) (aligned(out.size()) - out.size())]);
        for (Tensor tensor : tensors.values()) {
            out.writeBytes(tensor.data);
            out.writeBytes(new byte[(int) (aligned(tensor.data.length) - tensor.data.length)]);
        }
        return Files.write(file, out.toByteArray());
    }

    private static long aligned(long bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
}
