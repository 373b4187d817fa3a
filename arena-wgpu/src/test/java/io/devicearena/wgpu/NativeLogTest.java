package io.devicearena.wgpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.wgpu.testing.ChildProcess;
import io.devicearena.wgpu.testing.TestArenas;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The log of the library goes to the logger, at the level that the logger asks for. Runs in a process of its own. */
@Tag("slow")
class NativeLogTest {
    @TempDir
    Path folder;

    private String lines(String... flags) throws IOException, InterruptedException {
        TestArenas.device(); // skips the test without a device
        String[] all = Stream.of(List.of("-Xmx256m"), List.of(flags))
                .flatMap(List::stream)
                .toArray(String[]::new);
        ChildProcess.Result result = ChildProcess.runMain(folder, LogToErrors.class, Duration.ofMinutes(20), all);
        assertThat(result.err()).isEmpty();
        return result.out().strip();
    }

    @ParameterizedTest
    @ValueSource(strings = {"OFF", "SEVERE"})
    void quietLogger_getsNoLine(String level) throws IOException, InterruptedException {
        assertThat(lines("-D" + LogToErrors.LEVEL + "=" + level)).isEqualTo("{}");
    }

    @Test
    void loggerOfDebugLines_getsNoTraceLine() throws IOException, InterruptedException {
        assertThat(lines("-D" + LogToErrors.LEVEL + "=FINE")).contains("FINE=").doesNotContain("FINER=");
    }

    /** Each line of the library makes the handler throw; all lines arrive. */
    @Test
    void loggerOfAllLines_getsTraceLines_andAHandlerThatThrowsDoesNotEndTheProcess()
            throws IOException, InterruptedException {
        assertThat(lines("-D" + LogToErrors.LEVEL + "=ALL", "-D" + LogToErrors.THROWS + "=true"))
                .contains("FINE=")
                .contains("FINER=");
    }
}
