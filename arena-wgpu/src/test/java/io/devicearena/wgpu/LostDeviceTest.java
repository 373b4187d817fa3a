package io.devicearena.wgpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.wgpu.testing.ChildProgram;
import io.devicearena.wgpu.testing.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A device that is taken away under open arenas, in a process of its own. */
@Tag("slow")
class LostDeviceTest {
    @TempDir
    Path folder;

    @Test
    void everyCallTellsOfTheLossAndANewArenaGetsANewDevice() throws IOException, InterruptedException {
        TestArenas.device(); // skips where there is none
        Processes.Result result = ChildProgram.run(folder, LostDevice.class, Duration.ofMinutes(4), "-Xmx512m");
        assertThat(result.err()).isEmpty();
        assertThat(result.out().strip().lines().reduce((_, last) -> last).orElseThrow())
                .matches("\\d+ operations, \\d+ devices lost");
    }
}
