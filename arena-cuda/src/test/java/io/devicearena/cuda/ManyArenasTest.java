package io.devicearena.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cuda.testing.CudaDrivers;
import io.devicearena.cuda.testing.DriverProcess;
import io.devicearena.cuda.testing.OpenAgainAndAgain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Arenas one after the other leave nothing in the process, on the driver that the tests of this machine use. */
@Tag("slow")
class ManyArenasTest {
    private static final long MOST_KIB = 4 << 10;
    /** A heap that is in memory from the start, and one compiler: neither looks like growth then. */
    private static final List<String> STEADY =
            List.of("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", "-XX:TieredStopAtLevel=1");

    @Test
    void thousandsOfOpensAndCloses_doNotLetTheProcessGrow() throws Exception {
        List<String> options = new ArrayList<>(CudaDrivers.options());
        options.addAll(STEADY);
        options.add("-D" + OpenAgainAndAgain.ARENAS + "="
                + Integer.getInteger(OpenAgainAndAgain.ARENAS, OpenAgainAndAgain.USUAL_ARENAS));
        String grown = DriverProcess.run(options, Map.of(), OpenAgainAndAgain.class);
        assertThat(Long.parseLong(grown.strip())).as("KiB").isLessThan(MOST_KIB);
    }
}
