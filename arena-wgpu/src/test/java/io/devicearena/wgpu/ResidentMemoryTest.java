package io.devicearena.wgpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.wgpu.testing.ChildProcess;
import io.devicearena.wgpu.testing.TestArenas;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Staging is bounded. Runs in a process of its own. */
@Tag("slow")
@EnabledOnOs(value = OS.LINUX, disabledReason = "resident memory is read from /proc of Linux")
class ResidentMemoryTest {
    private static final long MOST_BYTES = 300L << 20;

    @TempDir
    Path folder;

    @Test
    void manyBytesAreUploadedPieceByPieceInBoundedMemory() throws IOException, InterruptedException {
        TestArenas.device(); // skips the test without a device
        long bytes = Long.getLong(UploadMuch.UPLOADED, UploadMuch.USUALLY_UPLOADED);
        ChildProcess.Result result = ChildProcess.runMain(
                folder, UploadMuch.class, Duration.ofMinutes(20), "-Xmx256m", "-D" + UploadMuch.UPLOADED + "=" + bytes);
        assertThat(result.err()).isEmpty();
        long[] resident = result.out().lines().mapToLong(Long::parseLong).toArray();
        assertThat(resident[0])
                .as("bytes resident at most, above the %d after everything was touched once", resident[1])
                .isLessThan(MOST_BYTES);
    }
}
