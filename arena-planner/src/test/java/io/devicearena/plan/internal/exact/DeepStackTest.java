package io.devicearena.plan.internal.exact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DeepStackTest {
    @Test
    void itIsDeep() {
        assertThat(DeepStack.<Integer>call(() -> sum(200_000), "deep")).isEqualTo(200_000);
    }

    private static int sum(int count) {
        return count == 0 ? 0 : 1 + sum(count - 1);
    }

    @Test
    void anInterruptWaitsForTheAnswer() {
        Thread.currentThread().interrupt();
        assertThat(DeepStack.<Integer>call(() -> sum(100), "interrupted")).isEqualTo(100);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aFailureIsToldWithItsCause() {
        IllegalArgumentException cause = new IllegalArgumentException("no");
        assertThatThrownBy(() -> DeepStack.call(
                        () -> {
                            throw cause;
                        },
                        "failing"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("failing: expected an answer, got a failure")
                .hasCause(cause);
    }

    @Test
    void threadsDoNotKeepTheProcess() {
        assertThat(DeepStack.thread(() -> {}, "daemon").isDaemon()).isTrue();
    }
}
