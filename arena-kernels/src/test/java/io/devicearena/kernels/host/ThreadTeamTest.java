package io.devicearena.kernels.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A team computes every task once, and throws the first fault. */
class ThreadTeamTest {
    @ParameterizedTest(name = "{0} threads")
    @ValueSource(ints = {1, 2, 5})
    void parallel_manyTimes_callsEachTaskOnce(int threads) {
        try (ThreadTeam team = new ThreadTeam(threads)) {
            for (int round = 0; round < 500; round++) {
                int tasks = round % 17;
                AtomicIntegerArray calls = new AtomicIntegerArray(17);
                team.parallel(tasks, calls::incrementAndGet);
                for (int i = 0; i < 17; i++) {
                    assertThat(calls.get(i)).isEqualTo(i < tasks ? 1 : 0);
                }
            }
            assertThat(team.threads()).isEqualTo(threads);
        }
    }

    @Test
    void parallel_taskThatThrows_throwsIt() {
        try (ThreadTeam team = new ThreadTeam(2)) {
            IllegalStateException fault = new IllegalStateException("fault of the test");
            assertThatThrownBy(() -> team.parallel(8, i -> {
                        throw fault;
                    }))
                    .isSameAs(fault);
            AtomicIntegerArray calls = new AtomicIntegerArray(4);
            team.parallel(4, calls::incrementAndGet);
            assertThat(calls.toString()).isEqualTo("[1, 1, 1, 1]");
        }
    }

    @Test
    void parallel_afterClose_isRefused() {
        ThreadTeam team = new ThreadTeam(2);
        team.close();
        team.close();
        assertThatThrownBy(() -> team.parallel(1, i -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("thread team: closed");
    }

    @Test
    void constructor_noThreads_isRefused() {
        assertThatThrownBy(() -> new ThreadTeam(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("threads: expected 1 or more, got 0");
    }
}
