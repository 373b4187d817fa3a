package io.devicearena.conformance.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.conformance.calls.Iterations;
import io.devicearena.conformance.junit.Subject;
import io.devicearena.conformance.oracle.Check;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

/** Races run all their rounds, together, and end with the first failure. */
class RaceTest {
    /** Races say to it how often they met. */
    private static final ConformanceTopic UNTESTED = new ConformanceTopic() {
        @Override
        public Subject subject() {
            throw new UnsupportedOperationException("subject");
        }

        @Override
        public boolean isRequired() {
            return false;
        }

        @Override
        public void tried(int times, int met) {}
    };

    @Test
    void everyRacerRunsEveryRoundBetweenBeforeAndAfter() {
        AtomicInteger before = new AtomicInteger();
        AtomicInteger runs = new AtomicInteger();
        AtomicInteger after = new AtomicInteger();
        Race.of(100)
                .before(round ->
                        assertThat(before.getAndIncrement()).isEqualTo(round).isEqualTo(after.get()))
                .after(round -> {
                    assertThat(after.getAndIncrement()).isEqualTo(round);
                    assertThat(runs.get()).isEqualTo(3 * (round + 1));
                })
                .run(UNTESTED, Collections.nCopies(3, round -> runs.getAndIncrement()));
        assertThat(after).hasValue(Iterations.of(100));
    }

    @Test
    void failureOfARacerEndsTheRace() {
        AtomicInteger rounds = new AtomicInteger();
        List<Race.Racer> racers =
                List.of(round -> {}, round -> Check.isTrue("round 7: expected none, got it", round != 7));
        assertThatThrownBy(() -> Race.of(1_000_000)
                        .after(round -> rounds.incrementAndGet())
                        .run(UNTESTED, racers))
                .isInstanceOf(AssertionFailedError.class)
                .hasMessage("round 7: expected none, got it");
        assertThat(rounds).hasValue(7);
    }

    @Test
    void failureBetweenTheRoundsEndsTheRace() {
        assertThatThrownBy(() -> Race.of(1_000_000)
                        .after(round -> Check.isTrue("after round 3", round != 3))
                        .run(UNTESTED, List.of(round -> {}, round -> {})))
                .isInstanceOf(AssertionFailedError.class)
                .hasMessage("after round 3");
    }

    @Test
    void exceptionOfARacerIsWrapped() {
        assertThatThrownBy(() -> Race.together(() -> {
                    throw new IllegalArgumentException("no");
                }))
                .isInstanceOf(AssertionFailedError.class)
                .hasMessage("a racer threw java.lang.IllegalArgumentException: no");
    }
}
