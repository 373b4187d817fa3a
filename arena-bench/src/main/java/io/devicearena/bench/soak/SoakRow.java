package io.devicearena.bench.soak;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The figures of one minute.
 *
 * @param minute its number, from 1
 * @param arenas arenas opened in it
 * @param steps steps done in it
 * @param gigabytes 10^9 bytes moved by arenas that were closed in it
 * @param seconds its length
 * @param losses devices lost in it
 * @param errors errors in it
 * @param residentMiB memory of the process at its end; 0 where the system does not say
 * @param heapMiB the Java heap in use at its end
 * @param files open files at its end; 0 where the system does not say
 * @param threads threads of Java at its end
 */
record SoakRow(
        int minute,
        long arenas,
        long steps,
        double gigabytes,
        double seconds,
        long losses,
        long errors,
        long residentMiB,
        long heapMiB,
        long files,
        int threads) {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path FILES = Path.of("/proc/self/fd");

    static String header() {
        return "minute   arenas     steps      GB   GB/s  losses  errors resident MiB  heap MiB  files  threads";
    }

    /** The row as a line below {@link #header}. */
    String line() {
        return String.format(
                Locale.ROOT,
                "%6d %8d %9d %7.2f %6.2f %7d %7d %12d %9d %6d %8d",
                minute,
                arenas,
                steps,
                gigabytes,
                gigabytes / seconds,
                losses,
                errors,
                residentMiB,
                heapMiB,
                files,
                threads);
    }

    /** The row as an object with the names of its components. */
    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("minute", minute);
        fields.put("arenas", arenas);
        fields.put("steps", steps);
        fields.put("gigabytes", gigabytes);
        fields.put("seconds", seconds);
        fields.put("losses", losses);
        fields.put("errors", errors);
        fields.put("residentMiB", residentMiB);
        fields.put("heapMiB", heapMiB);
        fields.put("files", files);
        fields.put("threads", threads);
        return fields;
    }

    static long currentResidentMiB() throws IOException {
        if (!Files.isReadable(STATUS)) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                    .findFirst()
                    .orElse(0);
        }
    }

    static long currentHeapMiB() {
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20;
    }

    static long currentFiles() throws IOException {
        if (!Files.isDirectory(FILES)) {
            return 0;
        }
        try (Stream<Path> files = Files.list(FILES)) {
            return files.count();
        }
    }

    static int currentThreads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }
}
