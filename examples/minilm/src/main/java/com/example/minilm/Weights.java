package com.example.minilm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeRole;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** The parameters in a safetensors file. */
final class Weights {
    private final JsonNode header;
    private final MemorySegment data;

    private Weights(JsonNode header, MemorySegment data) {
        this.header = header;
        this.data = data;
    }

    static void load(Path file, Bert graph, DeviceArena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(file); Arena memory = Arena.ofConfined()) {
            MemorySegment all = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), memory);
            long length = all.get(JAVA_LONG_UNALIGNED, 0);
            JsonNode header = new ObjectMapper().readTree(all.asSlice(8, length).toArray(JAVA_BYTE));
            Weights weights = new Weights(header, all.asSlice(8 + length));
            for (Bert.Node node : graph.nodes()) {
                if (node.role() == NodeRole.PARAMETER) {
                    weights.write(node, arena);
                }
            }
        }
    }

    private void write(Bert.Node node, DeviceArena arena) {
        if (node.name().endsWith(Bert.SCALE)) {
            float[] scales = scales(tensor(node.name().replace(Bert.SCALE, "")), node.columns());
            arena.writeInputF32(node.id(), DType.F32, scales);
        } else if (node.dtype() == DType.I8) {
            int rows = node.shape().getFirst().intValue();
            arena.writeValue(node.id(), DType.I8, quantised(tensor(node.name()), rows));
        } else if (arena.writeInputF32(node.id(), node.dtype(), tensor(node.name())) != node.elements()) {
            throw new IllegalArgumentException("expected " + node + ", got " + header.path(node.name()));
        }
    }

    private MemorySegment tensor(String name) {
        JsonNode offsets = header.path(name).path("data_offsets");
        return data.asSlice(offsets.path(0).asLong(), offsets.path(1).asLong() - offsets.path(0).asLong());
    }

    /** What the largest value of each row is divided by to become 127. */
    private static float[] scales(MemorySegment tensor, int rows) {
        float[] scales = new float[rows];
        for (long i = 0, n = tensor.byteSize() / Float.BYTES; i < n; i++) {
            int row = (int) (i * rows / n);
            scales[row] = Math.max(scales[row], Math.abs(tensor.getAtIndex(JAVA_FLOAT_UNALIGNED, i)) / 127);
        }
        return scales;
    }

    private static MemorySegment quantised(MemorySegment tensor, int rows) {
        float[] scales = scales(tensor, rows);
        byte[] bytes = new byte[(int) (tensor.byteSize() / Float.BYTES)];
        for (int i = 0; i < bytes.length; i++) {
            float scale = scales[(int) ((long) i * rows / bytes.length)];
            bytes[i] = (byte) Math.round(tensor.getAtIndex(JAVA_FLOAT_UNALIGNED, i) / scale);
        }
        return MemorySegment.ofArray(bytes);
    }
}
