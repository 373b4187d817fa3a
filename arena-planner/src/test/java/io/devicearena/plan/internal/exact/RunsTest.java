package io.devicearena.plan.internal.exact;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RunsTest {
    private final Runs runs = new Runs(10);

    @Test
    void aRunIsKnownUntilAMomentInItIsForgotten() {
        runs.know(2, 5);
        runs.know(5, 7);
        assertThat(runs.end(2)).isEqualTo(5);
        runs.forget(7, 9);
        runs.forget(0, 2);
        assertThat(runs.end(2)).isEqualTo(5);
        runs.forget(4, 5);
        assertThat(runs.end(2)).isZero();
        assertThat(runs.end(5)).isEqualTo(7);
    }

    @Test
    void aRunThatCoversOthersTakesTheirPlace() {
        runs.know(2, 5);
        runs.know(5, 7);
        runs.know(1, 8);
        assertThat(runs.end(2)).isZero();
        assertThat(runs.end(5)).isZero();
        runs.forget(6, 7);
        assertThat(runs.end(1)).isZero();
    }

    @Test
    void oneRunCanBeForgottenByItself() {
        runs.know(2, 5);
        runs.know(5, 7);
        runs.knowStep(5);
        runs.forgetRun(5);
        assertThat(runs.end(5)).isZero();
        assertThat(runs.end(2)).isEqualTo(5);
        assertThat(runs.isStepKnown(5)).isTrue();
    }

    @Test
    void aStepIsKnownUntilAMomentBesideItIsForgotten() {
        runs.knowStep(4);
        runs.forget(5, 10);
        runs.forget(0, 3);
        assertThat(runs.isStepKnown(4)).isTrue();
        runs.forget(3, 4);
        assertThat(runs.isStepKnown(4)).isFalse();
        runs.knowStep(4);
        runs.forget(4, 5);
        assertThat(runs.isStepKnown(4)).isFalse();
    }

    @Test
    void allIsForgottenAtOnce() {
        runs.know(0, 10);
        runs.knowStep(4);
        runs.clear();
        assertThat(runs.end(0)).isZero();
        assertThat(runs.isStepKnown(4)).isFalse();
    }
}
