package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.DType;
import io.devicearena.DeviceKind;
import io.devicearena.plan.testing.FirstFit;
import io.devicearena.plan.testing.TestGraph;
import java.util.Set;
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
    }

    @ParameterizedTest
    @ValueSource(longs = {-64, 1, 100, Long.MAX_VALUE})
    void theBoundaryIsAMultipleOfTheAlignment(long boundary) {
        assertThatThrownBy(() -> PlanOptions.declared(64).withBoundary(boundary))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("boundary: expected 0 or a multiple of the alignment of 64 bytes, got " + boundary);
    }

    @Test
    void options_byDefault_haveNoBoundaryAndTheWeights() {
        PlanOptions options = PlanOptions.f32Uniform(PlanOptions.DEFAULT_ALIGNMENT);

        assertThat(options.elementBytes(DType.F16)).isEqualTo(4);
        assertThat(options.alignment()).isEqualTo(64);
        assertThat(options.boundary()).isZero();
        assertThat(options.strategy().name()).isEqualTo("balanced");
        assertThat(options.separateWeights()).isFalse();
    }

    @Test
    void with_always_keepsTheOtherOptionsAndTheOriginal() {
        FirstFit strategy = new FirstFit();
        PlanOptions start = PlanOptions.declared(16);
        PlanOptions changed = start.withSeparateWeights().withStrategy(strategy).withBoundary(48);

        assertThat(changed.elementBytes(DType.F16)).isEqualTo(2);
        assertThat(changed.alignment()).isEqualTo(16);
        assertThat(changed.boundary()).isEqualTo(48);
        assertThat(changed.strategy()).isSameAs(strategy);
        assertThat(changed.separateWeights()).isTrue();
        assertThat(start.boundary()).isZero();
        assertThat(start.separateWeights()).isFalse();
    }

    @Test
    void result_always_namesTheStrategy() {
        PlanResult planned = MemoryPlanner.plan(
                new TestGraph().op(0, 1), PlanOptions.declared(16).withStrategy(new FirstFit()));

        assertThat(planned.strategy()).isEqualTo("first-fit");
    }

    private static ArenaDevice device(long alignmentBytes, long bindingAlignmentBytes) {
        ArenaLimits limits = new ArenaLimits(1 << 20, "size", alignmentBytes, 1 << 20)
                .withBindings(1 << 20, "binding", bindingAlignmentBytes, "offset");
        return new ArenaDevice("test", 0, "device", "a device", DeviceKind.HOST, 0, limits, Set.of());
    }

    @Test
    void forDevice_always_hasUniformSizesAndNoBoundary() {
        PlanOptions options = PlanOptions.forDevice(device(32, 32));

        assertThat(options.alignment()).isEqualTo(32);
        assertThat(options.boundary()).isZero();
        assertThat(options.elementBytes(DType.F16)).isEqualTo(4);
        assertThat(options.withDeclaredTypes().elementBytes(DType.F16)).isEqualTo(2);
    }

    @Test
    void forDevice_ofTwoAlignments_hasTheLarger() {
        assertThat(PlanOptions.forDevice(device(16, 256)).alignment()).isEqualTo(256);
        assertThat(PlanOptions.forDevice(device(128, 64)).alignment()).isEqualTo(128);
    }

    @Test
    void planForADevice_everyValue_beginsWhereABindingMay() {
        TestGraph graph = new TestGraph().input(0, 3).op(1, 5, 0).op(2, 7, 1);
        PlanResult planned = MemoryPlanner.plan(graph, PlanOptions.forDevice(device(16, 256)));

        assertThat(planned.plan().slots().values()).hasSize(3).allMatch(slot -> slot.offset() % 256 == 0);
    }
}
