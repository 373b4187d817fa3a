package io.devicearena.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.Transfer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CompletedTransferTest {
    private final CompletedTransfer read = new CompletedTransfer(12);

    @Test
    void stateIsAlwaysDone() {
        assertThat(read.state()).isEqualTo(Transfer.State.DONE);
        assertThat(read.await()).isEqualTo(12);
        assertThat(read.await(Duration.ZERO)).isTrue();
        assertThat(read.cancel()).isFalse();
        assertThat(read.state()).isEqualTo(Transfer.State.DONE);
        assertThat(read.toCompletableFuture()).isCompletedWithValue(12L);
    }

    @Test
    void cancellingTheFutureDoesNotChangeTheRead() {
        assertThat(read.toCompletableFuture().cancel(true)).isFalse();
        assertThat(read.await()).isEqualTo(12);
    }

    @Test
    @SuppressWarnings("NullAway") // null is what one of these calls is about
    void negativeTimeoutIsRefused() {
        assertThatThrownBy(() -> read.await(Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("timeout: expected 0 or more, got PT-0.000000001S");
        assertThatThrownBy(() -> read.await(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("timeout");
    }
}
