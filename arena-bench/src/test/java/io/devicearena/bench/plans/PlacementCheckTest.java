package io.devicearena.bench.plans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.plan.placement.PlacementProblem;
import org.junit.jupiter.api.Test;

class PlacementCheckTest {
    /** Buffers 0 and 1 meet, and so do 1 and 2. */
    private static final PlacementProblem PROBLEM =
            new PlacementProblem(new long[] {8, 8, 8}, new long[] {0, 1, 2}, new long[] {2, 3, 4}, 4, 0, 16);

    @Test
    void validPlacementPasses() {
        long[] offsets = {16, 24, 16};
        assertThatCode(() -> PlacementCheck.check("test", PROBLEM, offsets)).doesNotThrowAnyException();
        assertThat(PlacementCheck.arenaBytes(PROBLEM, offsets)).isEqualTo(16);
    }

    @Test
    void sharedByteIsFound() {
        assertThatThrownBy(() -> PlacementCheck.check("test", PROBLEM, new long[] {16, 24, 20}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("test: invalid placement: buffers 1 and 2 share bytes while both are live");
    }

    @Test
    void offsetThatIsNotAlignedIsFound() {
        assertThatThrownBy(() -> PlacementCheck.check("test", PROBLEM, new long[] {16, 26, 16}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("test: invalid placement: buffer 1 at offset 26, not a multiple of 4 from 16 up");
    }
}
