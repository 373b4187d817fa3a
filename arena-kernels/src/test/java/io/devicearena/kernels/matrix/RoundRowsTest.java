package io.devicearena.kernels.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.NodeId;
import io.devicearena.kernels.step.Near;
import io.devicearena.kernels.step.StepTrial;
import io.devicearena.kernels.step.StepTrial.Place;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Rounded rows are bytes and scales, which stand for what they were made of. */
class RoundRowsTest {
    private static final int ROWS = 3;

    /** More blocks than a workgroup rounds at a time, an odd number of them. */
    private static final int COLUMNS = 32 * 35;

    /** Of a few operations in f32, in units of the largest magnitude. */
    private static final double ROUNDING = 0x1p-20;

    private final StepTrial trial = new StepTrial();

    private NodeId rounded(Place place, float[] x, int rows, int columns) {
        NodeId in = trial.floats(x);
        NodeId out = trial.bytes(new byte[(int) RoundRows.bytes(rows, columns)]);
        trial.run(place, List.of(new RoundRows(out, in, rows, columns)));
        return out;
    }

    private int byteOf(NodeId id, int index) {
        return (byte) (trial.intsOf(id)[index / 4] >> (index % 4 * 8));
    }

    private float scaleOf(NodeId id, int elements, int block) {
        return trial.floatsOf(id)[elements / 4 + block];
    }

    private static double largest(float[] x, int block) {
        double most = 0;
        for (int i = block * RoundRows.BLOCK; i < (block + 1) * RoundRows.BLOCK; i++) {
            most = Math.max(most, Math.abs(x[i]));
        }
        return most;
    }

    private void assertOffByHalfAStep(NodeId id, float[] x) {
        for (int i = 0; i < x.length; i++) {
            double most = largest(x, i / RoundRows.BLOCK);
            float scale = scaleOf(id, x.length, i / RoundRows.BLOCK);
            Near.assertNear(scale, most / 127, most * ROUNDING, "scale of element %d", i);
            Near.assertNear((double) scale * byteOf(id, i), x[i], most / 254 + most * ROUNDING, "element %d", i);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Place.class, names = "CUDA", mode = EnumSource.Mode.EXCLUDE)
    void roundRows_everyElement_isOffByHalfAStep(Place place) {
        float[] x = StepTrial.random(ROWS * COLUMNS, 1);
        assertOffByHalfAStep(rounded(place, x, ROWS, COLUMNS), x);
    }

    @ParameterizedTest
    @EnumSource(value = Place.class, names = "CUDA", mode = EnumSource.Mode.EXCLUDE)
    void roundRows_moreRowsThanWorkgroups_roundsAll(Place place) {
        trial.limit("maxWorkgroups", 2);
        float[] x = StepTrial.random(ROWS * COLUMNS, 2);
        assertOffByHalfAStep(rounded(place, x, ROWS, COLUMNS), x);
    }

    @ParameterizedTest
    @EnumSource(value = Place.class, names = "CUDA", mode = EnumSource.Mode.EXCLUDE)
    void roundRows_magnitudesFarApart_keepTheirScales(Place place) {
        float[] x = StepTrial.random(4 * 32, 3);
        for (int i = 0; i < x.length; i++) {
            x[i] *= new float[] {1e-29f, 1e30f, 1, 1e-5f}[i / 32];
        }
        assertOffByHalfAStep(rounded(place, x, 2, 64), x);
    }

    @ParameterizedTest
    @EnumSource(value = Place.class, names = "CUDA", mode = EnumSource.Mode.EXCLUDE)
    void roundRows_blocksOfZerosAndOfLessThanTheLeast_areZeros(Place place) {
        float[] x = new float[3 * 32];
        Arrays.fill(x, 32, 64, 0x1.fp-101f);
        Arrays.fill(x, 64, 96, 0x1p-100f);
        NodeId out = rounded(place, x, 1, 96);
        assertThat(scaleOf(out, 96, 0)).isZero();
        assertThat(scaleOf(out, 96, 1)).isZero();
        assertThat(scaleOf(out, 96, 2)).isNotZero();
        assertThat(byteOf(out, 0)).isZero();
        assertThat(byteOf(out, 40)).isZero();
        assertThat(byteOf(out, 70)).isEqualTo(127);
    }

    @ParameterizedTest
    @CsvSource({"0, 32", "1, 0", "1, 33", "1, -32", "-1, 32"})
    void roundRows_otherDimensions_areRefused(int rows, int columns) {
        String message = "rows to round: expected 1 or more rows, of columns that are a multiple of 32, got " + rows
                + " x " + columns;
        assertThatThrownBy(() -> new RoundRows(NodeId.of(1), NodeId.of(2), rows, columns))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
        assertThatThrownBy(() -> RoundRows.bytes(rows, columns))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void bytes_anOddNumberOfBlocks_isAMultipleOf16() {
        assertThat(RoundRows.bytes(1, 32)).isEqualTo(48);
        assertThat(RoundRows.bytes(2, 64)).isEqualTo(144);
        assertThat(RoundRows.bytes(1 << 20, 1 << 12)).isEqualTo(4_831_838_208L);
    }
}
