package io.devicearena.wgpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.wgpu.testing.ChildProcess;
import io.devicearena.wgpu.testing.TestArenas;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Closed and dropped arenas free everything. Runs in a process of its own. */
@Tag("slow")
@EnabledOnOs(value = OS.LINUX, disabledReason = "resident memory is read from /proc of Linux")
class ManyArenasTest {
    private static final Pattern DROPPED = Pattern.compile("was dropped without close; its memory is freed now");

    /** A leak grows with each arena; the virtual machine and the pools of the driver grow in rare steps. */
    private static final long MOST_USUAL_GROWTH_BYTES_PER_ARENA = 1 << 10;

    /** The most bytes of those steps; on a busy machine dropped arenas wait longer, and the steps are larger. */
    private static final double MOST_GROWTH_BYTES = 64 << 20;

    /** Staging that the pools may keep. */
    private static final long MOST_MORE_OBJECTS = 2;

    @TempDir
    Path folder;

    @Test
    void memoryAndTheLibrarysObjectsLevelOff() throws IOException, InterruptedException {
        TestArenas.device(); // skips the test without a device
        int arenas = Integer.getInteger(OpenManyArenas.ARENAS, OpenManyArenas.USUAL_ARENAS);
        ChildProcess.Result result = ChildProcess.runMain(
                folder,
                OpenManyArenas.class,
                Duration.ofMinutes(30),
                "-Xms128m",
                "-Xmx128m",
                "-XX:+AlwaysPreTouch", // so that the heap is resident from the start
                "-D" + OpenManyArenas.ARENAS + "=" + arenas);
        List<long[]> samples = result.out()
                .lines()
                .map(line -> Arrays.stream(line.split(" ", -1))
                        .mapToLong(Long::parseLong)
                        .toArray())
                .toList();
        assertThat(samples).hasSize(arenas / OpenManyArenas.SAMPLE_EVERY);
        int third = samples.size() / 3;
        List<long[]> first = samples.subList(0, third);
        List<long[]> middle = samples.subList(third, 2 * third);
        List<long[]> last = samples.subList(2 * third, samples.size());
        assertThat(usualGrowth(samples.subList(third, samples.size())))
                .as("usual growth of the bytes resident, from one sample to the next, of\n%s", result.out())
                .isLessThan(MOST_USUAL_GROWTH_BYTES_PER_ARENA * OpenManyArenas.SAMPLE_EVERY);
        assertThat(meanResident(last) - meanResident(middle))
                .as("growth of the bytes resident, from the middle third to the last, of\n%s", result.out())
                .isLessThan(MOST_GROWTH_BYTES);
        for (int sort = 1; sort < samples.getFirst().length; sort++) {
            assertThat(fewest(last, sort))
                    .as("objects of sort %d in the last third, of\n%s", sort, result.out())
                    .isLessThanOrEqualTo(fewest(first, sort) + MOST_MORE_OBJECTS);
        }
        assertThat(DROPPED.matcher(result.err()).results().count())
                .as("arenas that were dropped and freed")
                .isGreaterThan(arenas / OpenManyArenas.DROPPED_EVERY * 9 / 10);
    }

    /** The median. */
    private static long usualGrowth(List<long[]> samples) {
        return IntStream.range(1, samples.size())
                .mapToLong(i -> samples.get(i)[0] - samples.get(i - 1)[0])
                .sorted()
                .skip(samples.size() / 2)
                .findFirst()
                .orElseThrow();
    }

    private static double meanResident(List<long[]> samples) {
        return samples.stream().mapToLong(sample -> sample[0]).average().orElseThrow();
    }

    /** The sample at which the fewest dropped arenas waited for the collector. */
    private static long fewest(List<long[]> samples, int sort) {
        return samples.stream().mapToLong(sample -> sample[sort]).min().orElseThrow();
    }
}
