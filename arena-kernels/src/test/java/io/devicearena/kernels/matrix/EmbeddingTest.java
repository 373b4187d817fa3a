package io.devicearena.kernels.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.NodeId;
import io.devicearena.kernels.matrix.PackedWeights.Stored;
import io.devicearena.kernels.step.Near;
import io.devicearena.kernels.step.StepTrial;
import io.devicearena.kernels.step.StepTrial.Place;
import io.devicearena.weights.tensor.TensorType;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The rows of tokens are those of the table, unpacked and scaled. */
class EmbeddingTest {
    private static final int TABLE_ROWS = 37;
    private static final int COLUMNS = 512;
    private static final float SCALE = 22.627417f;

    /** Unpacking and scaling take at most 5 roundings. */
    private static final double TOLERANCE = 5 * 0x1p-24 * SCALE;

    private final StepTrial trial = new StepTrial();

    private static Matrix table(StepTrial trial, PackedWeights weights) {
        NodeId id = trial.bytes(weights.bytes);
        if (weights.isMirrored) {
            trial.mirror(id);
        }
        return weights.matrix(id);
    }

    private void assertRow(float[] got, int row, PackedWeights weights, int token) {
        for (int c = 0; c < COLUMNS; c++) {
            Near.assertNear(
                    got[row * COLUMNS + c],
                    SCALE * weights.element(token, c),
                    TOLERANCE * weights.magnitude(token, c),
                    "row %d, column %d",
                    row,
                    c);
        }
    }

    static List<Stored> types() {
        return Stored.all();
    }

    static Stream<Arguments> typesInPlaces() {
        return Arrays.stream(Place.values())
                .flatMap(place -> Stored.all().stream().map(stored -> Arguments.of(place, stored)));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("typesInPlaces")
    void validTokens_haveTheirRows_andOnesBeyondTheTableTheLast(Place place, Stored stored) {
        PackedWeights weights = PackedWeights.of(stored, TABLE_ROWS, COLUMNS, 3);
        Matrix table = table(trial, weights);
        NodeId tokens = trial.ints(36, 0, 7, 7, -1, 37, 5);
        NodeId cursor = trial.ints(11, 6, 99, 0);
        NodeId out = trial.floats(new float[7 * COLUMNS]);
        Embedding step = new Embedding(out, table, tokens, cursor, 7, SCALE);
        trial.run(place, List.of(step));

        float[] got = trial.floatsOf(out);
        int[] expected = {36, 0, 7, 7, 36, 36};
        for (int row = 0; row < expected.length; row++) {
            assertRow(got, row, weights, expected[row]);
        }
        assertThat(Arrays.copyOfRange(got, 6 * COLUMNS, 7 * COLUMNS)).containsOnly(0);
        assertThat(step.reads()).containsExactly(table.id(), cursor, tokens);
        assertThat(step.writes()).containsExactly(out);
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void withoutTokens_theRowIsThatOfTheCursor(Place place) {
        PackedWeights weights = PackedWeights.of(TensorType.Q5_K, TABLE_ROWS, COLUMNS, 3);
        Matrix table = table(trial, weights);
        NodeId cursor = trial.ints(11, 1, 21, 0);
        NodeId out = trial.floats(new float[COLUMNS]);
        Embedding step = new Embedding(out, table, null, cursor, 1, SCALE);
        trial.run(place, List.of(step));

        assertRow(trial.floatsOf(out), 0, weights, 21);
        assertThat(step.reads()).containsExactly(table.id(), cursor);
    }

    @ParameterizedTest
    @MethodSource("types")
    void longTable_isBoundInParts(Stored stored) {
        PackedWeights weights = PackedWeights.of(stored, TABLE_ROWS, COLUMNS, 3);
        Matrix table = table(trial, weights);
        int[] ids = new int[TABLE_ROWS];
        Arrays.setAll(ids, row -> TABLE_ROWS - 1 - row);
        NodeId tokens = trial.ints(ids);
        NodeId cursor = trial.ints(0, TABLE_ROWS, 0, 0);
        NodeId out = trial.floats(new float[TABLE_ROWS * COLUMNS]);
        trial.limit("maxBindingBytes", 256 + 17L * 512 * 2);
        trial.run(Place.SUBGROUPS, List.of(new Embedding(out, table, tokens, cursor, TABLE_ROWS, SCALE)));

        for (int row = 0; row < TABLE_ROWS; row++) {
            assertRow(trial.floatsOf(out), row, weights, ids[row]);
        }
    }

    @Test
    void dimensions_outOfRange_areRefused() {
        NodeId id = trial.floats(0);
        Matrix table = new Matrix(id, TensorType.F32, 2, 8);
        assertThatThrownBy(() -> new Embedding(id, new Matrix(id, TensorType.F32, 2, 12), id, id, 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("table node 0: expected columns that are a multiple of 8, got 12");
        assertThatThrownBy(() -> new Embedding(id, table, null, id, 2, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("rows: expected 1 or more, and 1 for the token of the cursor, got 2");
        assertThatThrownBy(() -> new Embedding(id, table, id, id, 1, Float.NaN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("scale: expected a finite number, got NaN");
    }
}
