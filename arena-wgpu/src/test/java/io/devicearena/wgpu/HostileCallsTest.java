package io.devicearena.wgpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.wgpu.testing.ChildProcess;
import io.devicearena.wgpu.testing.TestArenas;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hostile arguments do not end the process. Runs in a process of its own. */
@Tag("slow")
class HostileCallsTest {
    private static final Pattern TOTAL = Pattern.compile("(\\w+): (\\d+) calls of (\\d+) methods, (\\d+) threw");

    @TempDir
    Path folder;

    @Test
    void hostileCalls_throwOnlyDocumentedExceptions() throws IOException, InterruptedException {
        TestArenas.device(); // skips the test without a device
        String seed = "-Ddevicearena.seed=" + Long.getLong("devicearena.seed", 1);
        String sampled = "-D" + HostileCalls.SAMPLED + "="
                + Integer.getInteger(HostileCalls.SAMPLED, HostileCalls.USUAL_SAMPLED);
        ChildProcess.Result result =
                ChildProcess.runMain(folder, HostileCalls.class, Duration.ofMinutes(20), "-Xmx512m", seed, sampled);
        assertThat(result.err()).isEmpty();
        assertThat(TOTAL.matcher(result.out()).results().map(total -> total.group(1)))
                .containsExactly("OPEN", "CLOSED", "LOST");
        assertThat(sum(result.out(), 2)).as("calls").isGreaterThan(8000);
        assertThat(sum(result.out(), 3)).as("methods in three states").isGreaterThan(450);
    }

    private static int sum(String out, int group) {
        return TOTAL.matcher(out)
                .results()
                .map((MatchResult total) -> total.group(group))
                .mapToInt(Integer::parseInt)
                .sum();
    }
}
