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
record Weights(JsonNode header, MemorySegment data) {
    static void load(Path file, Bert graph, DeviceArena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(file); Arena memory = Arena.ofConfined()) {
            MemorySegment all = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), memory);
            long length = all.get(JAVA_LONG_UNALIGNED, 0);
            JsonNode header = new ObjectMapper().readTree(all.asSlice(8, length).toArray(JAVA_BYTE));
            Weights weights = new Weights(header, all.asSlice(8 + length));
            graph.nodes().stream()
                    .filter(node -> node.role() == NodeRole.PARAMETER)
                    .forEach(node -> weights.write(node, arena));
        }
    }

    private void write(Bert.Node node, DeviceArena arena) {
        MemorySegment tensor = tensor(node.name().replace(Bert.SCALES, ""));
        if (node.name().endsWith(Bert.SCALES)) {
            arena.writeInputF32(node.id(), DType.F32, scales(tensor));
        } else if (node.dtype() == DType.I8) {
            arena.writeValue(node.id(), DType.I8, quantised(tensor));
        } else if (arena.writeInputF32(node.id(), node.dtype(), tensor) != tensor.byteSize() / Float.BYTES) {
            throw new IllegalArgumentException("expected " + node + ", got " + header.path(node.name()));
        }
    }

    private MemorySegment tensor(String name) {
        JsonNode offsets = header.path(name).path("data_offsets");
        return data.asSlice(offsets.path(0).asLong(), offsets.path(1).asLong() - offsets.path(0).asLong());
    }

    /** What the largest element of each block is divided by to become 127. */
    private static float[] scales(MemorySegment tensor) {
        float[] scales = new float[(int) (tensor.byteSize() / Float.BYTES / Bert.BLOCK)];
        for (int i = 0; i < scales.length * Bert.BLOCK; i++) {
            float size = Math.abs(tensor.getAtIndex(JAVA_FLOAT_UNALIGNED, i));
            scales[i / Bert.BLOCK] = Math.max(scales[i / Bert.BLOCK], size / 127);
        }
        return scales;
    }

    private static MemorySegment quantised(MemorySegment tensor) {
        float[] scales = scales(tensor);
        byte[] bytes = new byte[scales.length * Bert.BLOCK];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Math.round(tensor.getAtIndex(JAVA_FLOAT_UNALIGNED, i) / scales[i / Bert.BLOCK]);
        }
        return MemorySegment.ofArray(bytes);
    }
}
