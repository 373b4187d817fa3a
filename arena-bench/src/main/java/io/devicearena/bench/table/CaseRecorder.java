package io.devicearena.bench.table;

import io.devicearena.DeviceArena;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Times the wanted cases one after the other, and passes on a row for each. */
record CaseRecorder(
        String provider,
        Stopwatch stopwatch,
        Predicate<String> wanted,
        Consumer<SpeedRow> rows,
        Consumer<String> skipped,
        Set<String> reported) {
    /** The most calls and bytes that wait for the device at once when writes are timed without their flush. */
    private static final int BURST_CALLS = 64;

    private static final long BURST_BYTES = 64L << 20;

    CaseRecorder(
            String provider,
            Stopwatch stopwatch,
            Predicate<String> wanted,
            Consumer<SpeedRow> rows,
            Consumer<String> skipped) {
        this(provider, stopwatch, wanted, rows, skipped, new HashSet<>());
    }

    boolean wants(SpeedCase what) {
        return wanted.test(what.label());
    }

    void time(SpeedCase what, long bytes, Runnable call) {
        time(what, bytes, call, Integer.MAX_VALUE, () -> {});
    }

    /** Times writes, each until the device has the bytes. */
    void timeFlushed(SpeedCase what, long bytes, DeviceArena arena, Runnable write) {
        time(what, bytes, () -> {
            write.run();
            arena.flush();
        });
    }

    /** Times reads into the destination, which is compared once with what was written. */
    void timeRead(SpeedCase what, HostBuffers host, Runnable read) {
        host.check(what, read);
        time(what, host.source().byteSize(), read);
    }

    /** Times calls that leave work for the device: a burst of calls, then a pause that is not timed. */
    void timeBursts(SpeedCase what, long bytes, Runnable call, Runnable pause) {
        time(what, bytes, call, Math.clamp(BURST_BYTES / bytes, 1, BURST_CALLS), pause);
    }

    private void time(SpeedCase what, long bytes, Runnable call, int burst, Runnable pause) {
        if (!wants(what)) {
            return;
        }
        Timing timing = stopwatch.time(call, burst, pause);
        rows.accept(new SpeedRow(
                what.label(),
                provider,
                bytes,
                timing.micros(0.5),
                timing.micros(0.1),
                timing.micros(0.9),
                timing.calls(),
                timing.heapBytesPerCall()));
    }

    /** Reports, once, that a case cannot be measured here, with the reason. */
    void skip(String what, String reason) {
        if (reported.add(what)) {
            skipped.accept(provider + ": " + what + ": not measured: " + reason);
        }
    }
}
