package io.devicearena.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceKind;
import io.devicearena.MemoryPlan;
import io.devicearena.SegmentLayout;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArenaGeometryTest {
    private static ArenaGeometry of(long plan, long scratch, long limit) {
        ArenaDevice device = new ArenaDevice(
                "gpu",
                0,
                "Small GPU",
                "for a test",
                DeviceKind.DISCRETE_GPU,
                400,
                new ArenaLimits(limit, "maxBufferSize", 256, limit),
                Set.of());
        return ArenaGeometry.of(
                new MemoryPlan(plan, Map.of(), List.of()),
                ArenaOptions.defaults().withScratchBytes(scratch),
                device);
    }

    @ParameterizedTest
    @CsvSource({
        "0,0,0,1",
        "0,1,16,16",
        "7,0,0,7",
        "7,16,16,23",
        "7,17,32,39",
        "9223372036854775807,0,0,9223372036854775807",
        "9223372036854775791,16,16,9223372036854775807",
        "15,9223372036854775777,9223372036854775792,9223372036854775807"
    })
    void scratchIsRoundedUpAndAdded(long plan, long asked, long scratch, long size) {
        assertThat(of(plan, asked, Long.MAX_VALUE))
                .isEqualTo(new ArenaGeometry(plan, scratch, size, SegmentLayout.of(Map.of(), size, size, 256)));
    }

    @Test
    void arenaPastTheLimit_messageHasBytesGibAndLimitName() {
        assertThatThrownBy(() -> of(5L << 30, 0, 4L << 30))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("arena: expected at most 4294967296 bytes (4.00 GiB), the maxBufferSize of 'Small GPU', got"
                        + " 5368709120 bytes (5.00 GiB); split the graph into several plans, plan smaller dtypes, or"
                        + " choose a device that holds more");
        assertThatThrownBy(() -> of(4L << 30, 1, 4L << 30))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("arena: expected at most 4294967296 bytes (4.00 GiB), the maxBufferSize of 'Small GPU', got"
                        + " 4294967312 bytes (4.00 GiB) (plan 4294967296, scratch 16); split the graph into several"
                        + " plans, plan smaller dtypes, or choose a device that holds more");
    }

    @ParameterizedTest
    @CsvSource({"0,9223372036854775807", "0,9223372036854775793", "16,9223372036854775791", "9223372036854775807,1"})
    void sumThatOverflowsIsRefused(long plan, long scratch) {
        assertThatThrownBy(() -> of(plan, scratch, Long.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("arena: expected plan and scratch to add up to at most 9223372036854775807 bytes, got plan "
                        + plan + " and scratch " + scratch + "; ask for less scratch");
    }
}
