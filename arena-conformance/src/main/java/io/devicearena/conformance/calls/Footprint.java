package io.devicearena.conformance.calls;

import io.devicearena.conformance.oracle.Check;
import io.devicearena.diagnostics.DeviceMemory;
import io.devicearena.diagnostics.MemoryReport;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The memory that calls keep: on the Java heap after a collection, outside of it as far as the system says, and the
 * staging that backends report.
 *
 * <p>Calls should move more than {@value #MAPPED} bytes each. So much is mapped for itself, and not taken from what the
 * process has already: what is kept is seen each time.
 */
public final class Footprint {
    /** <b>Source:</b> {@code M_MMAP_THRESHOLD} in mallopt(3): at most 32 MiB. */
    private static final long MAPPED = 32 << 20;

    private static final Path MAPS = Path.of("/proc/self/maps");
    private static final Pattern HEAP = Pattern.compile("\\[0x([0-9a-f]+), (?:0x[0-9a-f]+, )?0x([0-9a-f]+)\\)");
    private static final Pattern WRITABLE = Pattern.compile("([0-9a-f]+)-([0-9a-f]+) rw.*");

    /** A ring or a pool grows once or twice, and a leak each time. */
    private static final int GROWS = 3;

    private static final int SETTLES = 20;

    private final long bytes;

    /** Looks at calls that move so many bytes each. */
    public Footprint(long bytes) {
        this.bytes = bytes;
    }

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
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        long staging = MemoryReport.now().devices().stream()
                .mapToLong(DeviceMemory::stagingBytes)
                .sum();
        return heap + staging + mapped();
    }

    /** The writable memory of the process outside of the heap: what the heap takes and frees says nothing. */
    private static long mapped() {
        try (Stream<String> maps = Files.lines(MAPS)) {
            Object info = ManagementFactory.getPlatformMBeanServer()
                    .invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcHeapInfo", null, null);
            List<MatchResult> heap =
                    HEAP.matcher(String.valueOf(info)).results().toList();
            return heap.isEmpty()
                    ? 0
                    : maps.map(WRITABLE::matcher)
                            .filter(Matcher::matches)
                            .filter(map -> heap.stream()
                                    .noneMatch(part ->
                                            address(map, 1) >= address(part, 1) && address(map, 2) <= address(part, 2)))
                            .mapToLong(map -> address(map, 2) - address(map, 1))
                            .sum();
        } catch (IOException | JMException e) {
            return 0; // another system or virtual machine
        }
    }

    private static long address(MatchResult range, int group) {
        return Long.parseUnsignedLong(range.group(group), 16);
    }
}
