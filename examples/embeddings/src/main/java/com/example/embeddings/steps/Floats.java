package com.example.embeddings.steps;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Floats and words of values in host memory. */
final class Floats {
    private Floats() {}

    static void read(HostValues host, NodeId id, long first, float[] to, int at, int count) {
        MemorySegment.copy(host.bytes(id), ValueLayout.JAVA_FLOAT, first * Float.BYTES, to, at, count);
    }

    static void write(HostValues host, NodeId id, long first, float[] from, int at, int count) {
        MemorySegment.copy(from, at, host.bytes(id), ValueLayout.JAVA_FLOAT, first * Float.BYTES, count);
    }

    static int word(HostValues host, NodeId id, long index) {
        return host.bytes(id).getAtIndex(ValueLayout.JAVA_INT, index);
    }
}
