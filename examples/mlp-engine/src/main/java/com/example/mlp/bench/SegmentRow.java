package com.example.mlp.bench;

import java.util.Locale;

/**
 * What one arena took.
 *
 * @param openSeconds to open it, the device too if no other arena has it open
 * @param writeSeconds to write all of it from host memory, until the device has it
 * @param readSeconds to read all of it
 * @param readMicros to read 16 bytes, the median: at the start, in the middle, at the end, across a segment's end; the
 *     last is NaN with one segment
 * @param gpuMillis to add up its words by the device's clock, the median, or NaN where it has none
 * @param wallMillis the same by the host's clock, the wait for the sum included
 */
record SegmentRow(
        long bytes,
        int segments,
        double openSeconds,
        double writeSeconds,
        double readSeconds,
        double[] readMicros,
        double gpuMillis,
        double wallMillis) {
    static final String HEAD = String.format(
            Locale.ROOT,
            "%13s %8s %7s %10s %9s %9s %9s %9s %9s %9s %9s %9s %9s",
            "bytes",
            "segments",
            "open s",
            "write GB/s",
            "read GB/s",
            "start µs",
            "middle µs",
            "end µs",
            "across µs",
            "sum ms",
            "GPU TB/s",
            "wall ms",
            "wall TB/s");

    double writeGigabytes() {
        return bytes / writeSeconds / 1e9;
    }

    double readGigabytes() {
        return bytes / readSeconds / 1e9;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%13d %8d %7.2f %10.2f %9.2f %9.1f %9.1f %9.1f %9.1f %9.3f %9.3f %9.3f %9.3f",
                bytes,
                segments,
                openSeconds,
                writeGigabytes(),
                readGigabytes(),
                readMicros[0],
                readMicros[1],
                readMicros[2],
                readMicros[3],
                gpuMillis,
                bytes / gpuMillis / 1e9,
                wallMillis,
                bytes / wallMillis / 1e9);
    }
}
