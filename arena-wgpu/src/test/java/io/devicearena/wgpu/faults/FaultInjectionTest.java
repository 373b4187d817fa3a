package io.devicearena.wgpu.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.wgpu.natives.NativesBundle;
import io.devicearena.wgpu.testing.ChildProcess;
import io.devicearena.wgpu.testing.NativesJars;
import io.devicearena.wgpu.testing.TestArenas;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every call of the library that can fail fails once, in every way that it can: the process goes on, the exception
 * names the call, nothing leaks, and the next arena works.
 *
 * <p>What cannot be injected is in the table {@link FaultLibrary#UNFAILING}; releases have no result either. A fault
 * is what the library says: a driver that hangs, or that writes wrong bytes, is none.
 */
@Tag("slow")
class FaultInjectionTest {
    /** The calls that look for devices. A process looks once, so each of these has its own. */
    private static final int FIRST_OF_DEVICE = 4;

    @TempDir
    static Path folder;

    private static Path library;

    @BeforeAll
    static void compileTheLibraryBetween() throws Exception {
        TestArenas.device(); // skips the test without a device
        NativesBundle jar = NativesJars.ofHost("linux-x86_64", "libwgpu_native.so");
        URL resource = jar.resource("libwgpu_native.so").orElseThrow();
        Path real = folder.resolve("libwgpu_native.so");
        try (InputStream in = resource.openStream()) {
            Files.copy(in, real);
        }
        library = FaultLibrary.compile(folder, real);
    }

    @Test
    void callOfADevice_thatFails_isAnExceptionAndTheNextArenaWorks() throws Exception {
        assertRight("1");
    }

    @ParameterizedTest(name = "call {0}")
    @CsvSource({
        "0, wgpuCreateInstance returned no instance",
        "1, wgpu-native finds no device",
        "2, wgpuAdapterGetInfo failed with status 2",
        "3, wgpuAdapterGetLimits failed with status 2"
    })
    void searchForDevices_thatFails_isAReason(int call, String reason) throws Exception {
        ChildProcess.Result result = ChildProcess.runMain(
                folder,
                FaultyProbe.class,
                Duration.ofMinutes(20),
                "-Ddevicearena.wgpu.library=" + library,
                "-D" + FaultyCalls.CALLS + "=" + call);
        assertThat(result.out()).startsWith("failed: ").contains(reason);
    }

    @ParameterizedTest(name = "call {0}")
    @Tag("exhaustive")
    @ValueSource(strings = {"2", "100"})
    void callOfADevice_thatFailsLater_isAnExceptionAndTheNextArenaWorks(String time) throws Exception {
        assertRight(time);
    }

    private void assertRight(String time) throws IOException, InterruptedException {
        String calls = IntStream.range(FIRST_OF_DEVICE, FaultLibrary.CALLS.size())
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(","));
        ChildProcess.Result result = ChildProcess.runMain(
                folder,
                FaultyCalls.class,
                Duration.ofMinutes(60),
                "-Ddevicearena.wgpu.library=" + library,
                "-D" + FaultyCalls.CALLS + "=" + calls,
                "-D" + FaultyCalls.TIMES + "=" + time);
        assertThat(result.out().strip().lines().reduce((_, last) -> last).orElseThrow())
                .as(result.out())
                .matches("[1-9]\\d+ faults, \\d+ not reached, 0 wrong");
    }
}
