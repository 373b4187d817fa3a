package io.devicearena.wgpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.DeviceKind;
import io.devicearena.wgpu.testing.ChildProcess;
import io.devicearena.wgpu.testing.TestArenas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Arenas that are larger than one buffer. Each runs in a process of its own. */
@Tag("slow")
class LargeArenaTest {
    private static final long SIX_GIB = 6L << 30;

    @TempDir
    Path folder;

    private long segments(long bytes, String... flags) throws IOException, InterruptedException {
        String[] all = Stream.concat(Stream.of("-D" + LargeArena.BYTES + "=" + bytes), Stream.of(flags))
                .toArray(String[]::new);
        ChildProcess.Result result = ChildProcess.runMain(folder, LargeArena.class, Duration.ofMinutes(20), all);
        assertThat(result.err()).isEmpty();
        return Long.parseLong(result.out().strip());
    }

    private static long freeBytes() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/meminfo"))) {
            String free = lines.filter(line -> line.startsWith("MemAvailable:"))
                    .findFirst()
                    .orElseThrow();
            return Long.parseLong(free.replaceAll("\\D", "")) << 10;
        }
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "free memory is read from /proc of Linux")
    void open_sixGibibytes_isHeldInTheDevicesLargestBuffers() throws IOException, InterruptedException {
        if (TestArenas.device().kind() != DeviceKind.DISCRETE_GPU) {
            long free = freeBytes();
            Assumptions.assumeTrue(
                    free > SIX_GIB + (2L << 30), () -> "the arena takes 6 GiB, and " + free + " bytes are free");
        }
        long largest = TestArenas.device().limits().maxSegmentBytes();
        assertThat(segments(SIX_GIB)).isEqualTo((SIX_GIB - 1) / largest + 1);
    }

    @Test
    void open_tenThousandSegments_works() throws IOException, InterruptedException {
        TestArenas.device(); // skips the test without a device
        assertThat(segments(10_000 * 1024L, "-Ddevicearena.wgpu.segmentBytes=1024"))
                .isEqualTo(10_000);
    }
}
