package io.devicearena.wgpu.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How much memory this process has in RAM, on Linux. */
public final class ResidentMemory {
    private ResidentMemory() {}

    /** Bytes that are resident now. */
    public static long now() throws IOException {
        return field("VmRSS:");
    }

    /** The most bytes that were resident at a time. */
    public static long peak() throws IOException {
        return field("VmHWM:");
    }

    private static long field(String name) throws IOException {
        String line = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(each -> each.startsWith(name))
                .findFirst()
                .orElseThrow();
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
    }
}
