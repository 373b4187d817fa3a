package io.devicearena.cli.replay;

import io.devicearena.DeviceArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Measures the latency of a read of 16 bytes: the median of samples, each with enough reads that the cost of the clock
 * does not matter.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class SmallReadLatency {
    private static final int BYTES = 16;
    private static final int SAMPLES = 101;
    private static final long WARM_UP_NANOS = 100_000_000;
    private static final long SAMPLE_NANOS = 20_000;

    private SmallReadLatency() {}

    /**
     * Measures.
     *
     * @param arena an arena of at least one byte
     * @return the median in microseconds
     */
    public static double medianMicros(DeviceArena arena) {
        try (Arena host = Arena.ofConfined()) {
            MemorySegment target = host.allocate(Math.min(BYTES, arena.sizeBytes()), BYTES);
            long reads = 0;
            long begun = System.nanoTime();
            long spent;
            do {
                arena.readBytes(0, target);
                reads++;
                spent = System.nanoTime() - begun;
            } while (spent < WARM_UP_NANOS);
            // The warm-up reads the clock each time, so these reads take no longer than a sample should.
            int readsPerSample = (int) Math.max(1, SAMPLE_NANOS * reads / spent);
            double[] micros = new double[SAMPLES];
            for (int s = 0; s < SAMPLES; s++) {
                long start = System.nanoTime();
                for (int r = 0; r < readsPerSample; r++) {
                    arena.readBytes(0, target);
                }
                micros[s] = (System.nanoTime() - start) / 1e3 / readsPerSample;
            }
            Arrays.sort(micros);
            return micros[SAMPLES / 2];
        }
    }
}
