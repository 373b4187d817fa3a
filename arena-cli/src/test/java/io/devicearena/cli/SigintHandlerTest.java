package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cli.testing.ChildProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Ends a search as a user at a terminal does: SIGTERM takes the same path as the SIGINT of Ctrl-C. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "a process there ends others without a signal")
class SigintHandlerTest {
    private static final int TERMINATED = 128 + 15;
    private static final int BUFFERS = 10_000;
    private static final int LENGTH_DIGITS = 17;
    private static final int SIZE_DIGITS = 30;

    @TempDir
    private Path folder;

    /** No strategy meets the lower bound of these buffers, and the default works for seconds. */
    private Path buffers() throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        StringBuilder csv = new StringBuilder("id,lower,upper,size\n");
        for (int i = 0; i < BUFFERS; i++) {
            int lower = random.nextInt(BUFFERS);
            long upper = lower + 1 + random.nextLong(1L << random.nextInt(1, LENGTH_DIGITS));
            long size = 1 + random.nextLong(1L << random.nextInt(1, SIZE_DIGITS));
            csv.append(i).append(',').append(lower).append(',').append(upper);
            csv.append(',').append(size).append('\n');
        }
        return Files.writeString(folder.resolve("buffers.csv"), csv);
    }

    @Test
    @Timeout(600)
    void terminatedSearchReportsAndWritesItsBestPlan() throws IOException, InterruptedException {
        File out = folder.resolve("out.txt").toFile();
        Path plan = folder.resolve("plan.csv");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Ddevicearena.progress=true",
                        "-cp",
                        ChildProcess.runtimePath(),
                        "io.devicearena.cli.ArenaCli",
                        "plan",
                        buffers().toString(),
                        "--strategy",
                        "optimal",
                        "--budget",
                        "600",
                        "--out",
                        plan.toString())
                .redirectOutput(out)
                .start();
        StringBuilder shown = new StringBuilder();
        while (shown.indexOf("best so far") < 0) {
            int next = process.getErrorStream().read();
            assertThat(next).as("after " + shown).isNotNegative();
            shown.append((char) next);
        }
        process.destroy();
        assertThat(process.waitFor()).isEqualTo(TERMINATED);
        assertThat(out).content().contains("interrupted; this is the best plan so far", "checked by the validator");
        assertThat(Files.readAllLines(plan)).hasSize(BUFFERS + 1);
    }
}
