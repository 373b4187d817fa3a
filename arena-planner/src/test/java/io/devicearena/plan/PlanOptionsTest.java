package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.DType;
import io.devicearena.plan.testing.FirstFit;
import io.devicearena.plan.testing.TestGraph;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanOptionsTest {
    @ParameterizedTest
    @ValueSource(longs = {0, -1, 3, 48, Long.MAX_VALUE, Long.MIN_VALUE})
    void theAlignmentIsAPowerOfTwo(long alignment) {
        String message = "alignment: expected a power of two, got " + alignment;

        assertThatThrownBy(() -> PlanOptions.f32Uniform(alignment))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
        assertThatThrownBy(() -> PlanOptions.declared(alignment)).hasMessage(message);
        assertThatThrownBy(() -> MemoryPlanner.planF32Uniform(new TestGraph(), alignment))
                .hasMessage(message);
        assertThatThrownBy(() -> MemoryPlanner.planDeclared(new TestGraph(), alignment))
                .hasMessage(message);
    }

    @ParameterizedTest
    @ValueSource(longs = {-64, 1, 100, Long.MAX_VALUE})
    void theBoundaryIsAMultipleOfTheAlignment(long boundary) {
        assertThatThrownBy(() -> PlanOptions.declared(64).withBoundary(boundary))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("boundary: expected 0 or a multiple of the alignment of 64 bytes, got " + boundary);
    }

    @Test
    void optionsStartWithoutFurtherWishes() {
        PlanOptions options = PlanOptions.f32Uniform(PlanOptions.DEFAULT_ALIGNMENT);

        assertThat(options.elementBytes(DType.F16)).isEqualTo(4);
        assertThat(options.alignment()).isEqualTo(64);
        assertThat(options.boundary()).isZero();
        assertThat(options.strategy().name()).isEqualTo("balanced");
        assertThat(options.weights()).isEmpty();
    }

    @Test
    void aChangeKeepsTheOtherWishesAndTheOptionsItStartedFrom() {
        FirstFit strategy = new FirstFit();
        PlanOptions start = PlanOptions.declared(16);
        WeightLayout layout = WeightLayout.of(List.of(), start);
        PlanOptions changed = start.withWeights(layout).withStrategy(strategy).withBoundary(48);

        assertThat(changed.elementBytes(DType.F16)).isEqualTo(2);
        assertThat(changed.alignment()).isEqualTo(16);
        assertThat(changed.boundary()).isEqualTo(48);
        assertThat(changed.strategy()).isSameAs(strategy);
        assertThat(changed.weights()).containsSame(layout);
        assertThat(start.boundary()).isZero();
        assertThat(start.weights()).isEmpty();
    }

    @Test
    void theStrategyThatPlacedIsTold() {
        PlanResult planned = MemoryPlanner.plan(
                new TestGraph().op(0, 1), PlanOptions.declared(16).withStrategy(new FirstFit()));

        assertThat(planned.strategy()).isEqualTo("first-fit");
    }
}
