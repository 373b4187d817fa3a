package io.devicearena.spi.memory;

import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;

/**
 * How much memory the system gives this process. A system that overcommits memory does not refuse an allocation that is
 * too large: it ends the process later, when the bytes are written. So a backend whose arenas are in host memory, such
 * as a device that is emulated in software, compares before it allocates.
 *
 * <p>The groups of the process are found once, and their limits are read at each call. Linux has the figures; on other
 * systems they are not known, and the allocation itself decides.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class SystemMemory {
    private static final Path ROOT = Path.of("/");
    private static final ControlGroups OF_PROCESS = new ControlGroups(ROOT);

    private SystemMemory() {}

    /**
     * Returns the bytes that can be allocated now without ending a process: the least of what the host and each control
     * group of this process has free. Memory that the system can take back, such as cached files, counts as free, and
     * so does swap. In a group with a limit, 32 MiB are kept back for the JVM itself.
     *
     * @return bytes, 0 or more, or empty where the system does not say
     */
    public static OptionalLong freeBytes() {
        return freeBytes(ROOT, OF_PROCESS);
    }

    /**
     * Returns the memory limit of this process, as a container has one: the least of its control groups, without swap.
     *
     * @return bytes, 0 or more, or empty where there is no limit
     */
    public static OptionalLong limitBytes() {
        return known(OF_PROCESS.limitBytes());
    }

    /**
     * Returns the memory of the host, or the limit of this process where that is less, without swap.
     *
     * @return bytes, 0 or more, or empty where the system does not say
     */
    public static OptionalLong totalBytes() {
        return totalBytes(ROOT, OF_PROCESS);
    }

    static OptionalLong totalBytes(Path root, ControlGroups groups) {
        return known(Math.min(figures(root).getOrDefault("MemTotal", Long.MAX_VALUE), groups.limitBytes()));
    }

    static OptionalLong freeBytes(Path root, ControlGroups groups) {
        Map<String, Long> figures = figures(root);
        return known(groups.freeBytes(
                figures.getOrDefault("MemAvailable", Long.MAX_VALUE), figures.getOrDefault("SwapFree", 0L)));
    }

    private static Map<String, Long> figures(Path root) {
        return SystemFile.figures(root.resolve("proc/meminfo"));
    }

    private static OptionalLong known(long bytes) {
        return bytes == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(bytes);
    }
}
