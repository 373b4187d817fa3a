package io.devicearena.cpu;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much memory the host has. An arena is zeroed, so all of it becomes resident: a system that overcommits memory
 * would end the process then instead of refusing the allocation.
 */
final class HostMemory {
    private static final Path LINUX_FIGURES = Path.of("/proc/meminfo");

    private static final Pattern FIGURE = Pattern.compile("(MemAvailable|SwapFree):\\s+(?<kibibytes>\\d{1,15}) kB");

    private HostMemory() {}

    /** Bytes of memory of the machine, or of the container when that is less. */
    static long totalBytes() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? Math.max(system.getTotalMemorySize(), 1)
                : Long.MAX_VALUE;
    }

    /**
     * Bytes that can be allocated without ending a process, or {@link Long#MAX_VALUE} where the system has no figure.
     */
    static long availableBytes() {
        try {
            return Files.isReadable(LINUX_FIGURES) ? availableBytes(Files.readAllLines(LINUX_FIGURES)) : Long.MAX_VALUE;
        } catch (IOException e) {
            return Long.MAX_VALUE; // without the figures the allocation itself decides
        }
    }

    static long availableBytes(List<String> figures) {
        long kibibytes = 0;
        boolean found = false;
        for (String line : figures) {
            Matcher figure = FIGURE.matcher(line);
            if (figure.matches()) {
                kibibytes += Long.parseLong(figure.group("kibibytes"));
                found |= line.startsWith("MemAvailable");
            }
        }
        return found ? kibibytes * 1024 : Long.MAX_VALUE;
    }
}
