package io.devicearena.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class BoundedExitTest {
    /** 128 and the number of SIGALRM. */
    private static final int ENDED_BY_ALARM = 128 + 14;

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void exit_hookThatNeverReturns_printsStacksAndEndsByAlarm() throws IOException, InterruptedException {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        ProgramThatNeverEnds.class.getName())
                .redirectErrorStream(true)
                .start();
        String printed = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(program.waitFor()).as(printed).isEqualTo(ENDED_BY_ALARM);
        assertThat(printed)
                .contains("the process has not ended 2 s after its exit began; its threads:")
                .contains("thread 'hook-that-waits', WAITING")
                .contains("ProgramThatNeverEnds.waitForEver");
    }
}
