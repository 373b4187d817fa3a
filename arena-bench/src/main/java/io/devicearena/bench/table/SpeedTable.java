package io.devicearena.bench.table;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.discovery.DeviceArenas;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Measures the cost of an arena, case by case, through the public API. Before a read is timed, its result is compared
 * once with what was written.
 *
 * <p><b>Threads:</b> one thread at a time.
 *
 * @param pace the time for each case
 * @param sizes bytes of the transferred values, multiples of 8 from 8 up
 * @param wanted which cases to measure, by name
 * @param rows receives each row when it is measured
 * @param skipped receives a line for each case that a device cannot run, with the reason
 */
public record SpeedTable(
        Pace pace, List<Long> sizes, Predicate<String> wanted, Consumer<SpeedRow> rows, Consumer<String> skipped) {
    /** The sizes of a value: a token, a row, a layer's activations, a layer's weights, an embedding. */
    public static final List<Long> SIZES = List.of(16L, 4096L, 1L << 20, 64L << 20, 256L << 20);

    private static final long CAST_BYTES = 64L << 20;
    private static final long COPY_BYTES = 64L << 20;

    /**
     * Makes a table.
     *
     * @throws IllegalArgumentException if a size is no multiple of 8 from 8 up
     */
    public SpeedTable {
        sizes = List.copyOf(sizes);
        for (long bytes : sizes) {
            if (bytes < 8 || bytes % 8 != 0) {
                throw new IllegalArgumentException("bytes: expected a multiple of 8 from 8 up, got " + bytes);
            }
        }
    }

    /**
     * Finds the device that {@link #measure} uses.
     *
     * @param provider an available provider's name
     * @return the device of an arena that is opened with the provider as its only option
     */
    public static ArenaDevice device(String provider) {
        try (DeviceArena arena = DeviceArenas.open(
                CaseArenas.values(1, 8, 8), ArenaOptions.defaults().withProvider(provider))) {
            return arena.device();
        }
    }

    /**
     * Measures a copy in host memory on one thread: no read or write on one thread is faster.
     */
    public void measureHost() {
        CaseRecorder recorder = recorder("-");
        if (!recorder.wants(SpeedCase.HOST_COPY)) {
            return;
        }
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment from = memory.allocate(COPY_BYTES, 64).fill((byte) 1);
            MemorySegment to = memory.allocate(COPY_BYTES, 64).fill((byte) 2);
            recorder.time(SpeedCase.HOST_COPY, COPY_BYTES, () -> to.copyFrom(from));
        }
    }

    /**
     * Measures the arenas of a provider on its preferred device.
     *
     * @param provider an available provider's name
     * @throws IllegalStateException if a read returns other bytes than were written
     */
    public void measure(String provider) {
        CaseRecorder recorder = recorder(provider);
        for (long bytes : sizes) {
            new ValueCases(recorder, bytes).run();
        }
        new SmallWriteCases(recorder).run();
        new OutputCases(recorder).run();
        if (sizes.contains(CAST_BYTES)) {
            new CastCases(recorder, CAST_BYTES).run();
        }
    }

    private CaseRecorder recorder(String provider) {
        return new CaseRecorder(provider, new Stopwatch(pace, System::nanoTime), wanted, rows, skipped);
    }
}
