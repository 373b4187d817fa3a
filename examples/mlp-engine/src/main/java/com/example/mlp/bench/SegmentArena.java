package com.example.mlp.bench;

import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DeviceArena;
import io.devicearena.F16ShadowMode;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.SegmentLayout;
import io.devicearena.discovery.DeviceArenas;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** An arena that one value fills, and the time of each measurement. */
final class SegmentArena {
    private static final NodeId ALL = NodeId.of(0);
    private static final int SMALL = 16;
    private static final int SMALL_READS = 200;

    /** Places of small reads: start, middle, end, across. */
    private static final int PLACES = 4;

    private final DeviceArena arena;
    private final HostWords host;
    private final long bytes;
    private int sum;

    private SegmentArena(DeviceArena arena, HostWords host, long bytes) {
        this.arena = arena;
        this.host = host;
        this.bytes = bytes;
    }

    /** Opens an arena, measures all, and closes it. */
    static SegmentRow measure(long bytes, HostWords host) {
        MemoryPlan plan = new MemoryPlan(bytes, Map.of(ALL, new BufferSlot(0, bytes)), List.of(ALL));
        ArenaOptions options = ArenaOptions.defaults()
                .withProvider("wgpu")
                .withLabel("segment bench")
                .withF16Shadow(F16ShadowMode.OFF);
        long begin = System.nanoTime();
        try (DeviceArena arena = DeviceArenas.open(plan, options)) {
            double openSeconds = (System.nanoTime() - begin) / 1e9;
            return new SegmentArena(arena, host, bytes).measure(openSeconds);
        }
    }

    private SegmentRow measure(double openSeconds) {
        double writeSeconds = writeSeconds();
        double readSeconds = readSeconds();
        double[] readMicros = readMicros();
        SegmentSum all = SegmentSum.of(arena, ALL, sum);
        double wallMillis = all.wallMillis();
        return new SegmentRow(
                bytes,
                arena.segments().count(),
                openSeconds,
                writeSeconds,
                readSeconds,
                readMicros,
                all.gpuMillis(),
                wallMillis);
    }

    private double writeSeconds() {
        long nanos = 0;
        for (long at = 0; at < bytes; at += host.chunkBytes()) {
            MemorySegment chunk = host.chunk(Math.min(host.chunkBytes(), bytes - at));
            sum += host.fill(chunk, at / Integer.BYTES);
            long begin = System.nanoTime();
            arena.writeBytes(at, chunk);
            arena.flush();
            nanos += System.nanoTime() - begin;
        }
        return nanos / 1e9;
    }

    private double readSeconds() {
        host.chunk(host.chunkBytes()).fill((byte) 0); // from then on it holds the chunk before, which has other words
        long nanos = 0;
        for (long at = 0; at < bytes; at += host.chunkBytes()) {
            MemorySegment chunk = host.chunk(Math.min(host.chunkBytes(), bytes - at));
            long begin = System.nanoTime();
            arena.readBytes(at, chunk);
            nanos += System.nanoTime() - begin;
            host.verify(chunk, at / Integer.BYTES);
        }
        return nanos / 1e9;
    }

    /** The places take turns, so that none of them has the device to itself when it is fast. */
    private double[] readMicros() {
        SegmentLayout segments = arena.segments();
        long across = segments.count() > 1 ? segments.end((segments.count() - 1) / 2) - SMALL / 2 : -1;
        long[] places = {0, bytes / 2, bytes - SMALL, across};
        double[][] micros = new double[PLACES][SMALL_READS];
        try (Arena call = Arena.ofConfined()) {
            MemorySegment small = call.allocate(SMALL, SMALL);
            for (int i = -SMALL_READS; i < SMALL_READS; i++) { // the first half warms up
                for (int p = 0; p < PLACES; p++) {
                    long begin = System.nanoTime();
                    if (places[p] >= 0) {
                        arena.readBytes(places[p], small);
                    }
                    micros[p][Math.max(i, 0)] = (System.nanoTime() - begin) / 1e3;
                    if (places[p] >= 0) {
                        host.verify(small, places[p] / Integer.BYTES);
                    }
                }
            }
        }
        double[] medians = new double[PLACES];
        for (int p = 0; p < PLACES; p++) {
            Arrays.sort(micros[p]);
            medians[p] = places[p] >= 0 ? micros[p][SMALL_READS / 2] : Double.NaN;
        }
        return medians;
    }
}
