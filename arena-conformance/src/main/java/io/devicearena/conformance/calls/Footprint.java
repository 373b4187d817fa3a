package io.devicearena.conformance.calls;

import io.devicearena.conformance.oracle.Check;
import io.devicearena.diagnostics.DeviceMemory;
import io.devicearena.diagnostics.MemoryReport;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The memory that calls keep: on the Java heap after a collection, outside of it as far as the system says, and the
 * staging that backends report.
 *
 * <p>Calls should move more than {@value #MAPPED} bytes each. So much is mapped for itself, and not taken from what the
 * process has already: what is kept is seen each time.
 *
 * @param bytes that each call moves
 */
public record Footprint(long bytes) {
    /** <b>Source:</b> {@code M_MMAP_THRESHOLD} in mallopt(3): at most 32 MiB. */
    private static final long MAPPED = 32 << 20;

    private static final Path MAPS = Path.of("/proc/self/maps");
    private static final Pattern WRITABLE = Pattern.compile("([0-9a-f]+)-([0-9a-f]+) rw.*");

    /** A ring or a pool grows once or twice, and a leak each time. */
    private static final int GROWS = 3;

    private static final int SETTLES = 20;

    /** Makes all the calls. If they keep something each time, it looks for one that keeps what it has moved. */
    public void check(Map<String, Runnable> calls) {
        if (kept(calls.values(), 1) >= bytes / 2) {
            narrow(List.copyOf(calls.entrySet()));
        }
    }

    /** Halves what keeps something each time, down to one call. */
    private void narrow(List<Map.Entry<String, Runnable>> calls) {
        long repeats = Math.max(1, MAPPED / bytes);
        long kept = kept(calls.stream().map(Map.Entry::getValue).toList(), repeats);
        if (kept < repeats * bytes / 2) {
            return;
        }
        int half = calls.size() / 2;
        Check.isTrue(
                calls.getFirst().getKey() + " with " + bytes + " bytes: expected no more memory after " + repeats
                        + " calls than before, each time, got " + kept + " bytes more",
                half > 0);
        narrow(calls.subList(0, half));
        narrow(calls.subList(half, calls.size()));
    }

    /** The least that calls keep, until it is less than half of what one of them moves. */
    private long kept(Collection<Runnable> calls, long repeats) {
        long kept = Long.MAX_VALUE;
        settle();
        for (int i = 0; i < GROWS && kept >= repeats * bytes / 2; i++) {
            long before = held();
            for (long j = 0; j < repeats; j++) {
                calls.forEach(Runnable::run);
            }
            kept = held() - before;
        }
        return kept;
    }

    /** Waits until nothing of earlier work is freed any more, which would hide what calls keep. */
    private void settle() {
        long before = Long.MAX_VALUE;
        long now = held();
        for (int i = 0; i < SETTLES && now < before - bytes / 8; i++) {
            before = now;
            now = held();
        }
    }

    private static long held() {
        System.gc();
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        long staging = MemoryReport.now().devices().stream()
                .mapToLong(DeviceMemory::stagingBytes)
                .sum();
        return heap.getUsed() + staging + outside(heap);
    }

    /** The writable memory of the process outside of the heap: what the heap takes and frees says nothing. */
    private static long outside(MemoryUsage heap) {
        try (Stream<String> maps = Files.lines(MAPS)) {
            long writable = maps.map(WRITABLE::matcher)
                    .filter(Matcher::matches)
                    .mapToLong(
                            map -> Long.parseUnsignedLong(map.group(2), 16) - Long.parseUnsignedLong(map.group(1), 16))
                    .sum();
            return writable - heap.getCommitted();
        } catch (IOException e) {
            return 0; // another system
        }
    }
}
