package io.devicearena.wgpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.wgpu.testing.ChildProcess;
import io.devicearena.wgpu.testing.TestArenas;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A device that is lost while arenas are open. Runs in a process of its own. */
@Tag("slow")
class LostDeviceTest {
    @TempDir
    Path folder;

    static IntStream parts() {
        return IntStream.range(0, LostDevice.PARTS);
    }

    @ParameterizedTest(name = "part {0}")
    @MethodSource("parts")
    void lostDevice_everyCallThrowsAndNewArenaGetsANewDevice(int part) throws IOException, InterruptedException {
        assertLost("-D" + LostDevice.PART + "=" + part);
    }

    /** The large value of the arena lies in several segments; one part, since each takes seconds. */
    @Test
    void lostDevice_ofSeveralSegments_everyCallThrows() throws IOException, InterruptedException {
        assertLost("-D" + LostDevice.PART + "=1", "-Ddevicearena.wgpu.segmentBytes=65536");
    }

    private void assertLost(String... flags) throws IOException, InterruptedException {
        TestArenas.device(); // skips the test without a device
        String[] all = Stream.concat(Stream.of("-Xmx512m"), Stream.of(flags)).toArray(String[]::new);
        ChildProcess.Result result = ChildProcess.runMain(folder, LostDevice.class, Duration.ofMinutes(20), all);
        assertThat(result.err()).isEmpty();
        assertThat(result.out().strip().lines().reduce((_, last) -> last).orElseThrow())
                .matches("\\d+ operations, \\d+ devices lost");
    }
}
