package io.devicearena.wgpu.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.wgpu.natives.NativesBundle;
import io.devicearena.wgpu.testing.ChildProcess;
import io.devicearena.wgpu.testing.NativesJars;
import io.devicearena.wgpu.testing.TestArenas;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A thread that waits for the device blocks no other thread: small writes complete even while its submission waits, and
 * reads while it polls. Runs in a process of its own, in which a library between holds the calls.
 */
class WaitingReaderTest {
    @TempDir
    Path folder;

    @Test
    void whileAThreadWaits_othersWriteAndRead() throws Exception {
        TestArenas.device(); // skips the test without a device
        NativesBundle jar = NativesJars.ofHost("linux-x86_64", "libwgpu_native.so");
        Path real = folder.resolve("libwgpu_native.so");
        try (InputStream in = jar.resource("libwgpu_native.so").orElseThrow().openStream()) {
            Files.copy(in, real);
        }
        ChildProcess.Result result = ChildProcess.runMain(
                folder,
                WaitingReader.class,
                Duration.ofMinutes(5),
                "-Ddevicearena.wgpu.library=" + HeldLibrary.compile(folder, real));
        assertThat(result.out().lines())
                .containsExactly(
                        "whole words are written",
                        "parts of words are written",
                        "one place is written again and again",
                        "a value and its mirror are written",
                        "first wrong byte: -1",
                        "value: " + (10 * 3000 - 1) % 1024 + ".0",
                        "the arena of pending writes is closed early: false",
                        "a deferred read: others write and read true",
                        "a run: others write and read true",
                        "a large read: others write and read true",
                        "a flush: others write and read true");
    }
}
