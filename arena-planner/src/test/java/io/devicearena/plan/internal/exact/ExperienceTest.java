package io.devicearena.plan.internal.exact;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.internal.ejection.Lifetimes;
import io.devicearena.plan.optimal.Parts;
import io.devicearena.plan.optimal.Problems;
import org.junit.jupiter.api.Test;

class ExperienceTest {
    private static final Lifetimes PART = Parts.first(Problems.together(5, 7, 3));
    private static final Attempt LEADING = attempt(15, false);
    private static final Attempt FOLLOWING = attempt(15, true);

    private final Experience experience = new Experience(3);

    private static Attempt attempt(long target, boolean follows) {
        int number = 0;
        while (new Attempt(target, number, 1).follows() != follows) {
            number++;
        }
        return new Attempt(target, number, 1);
    }

    /** An attempt that places some buffers one upon the other. */
    private void play(Attempt attempt, int... buffers) {
        experience.begin(attempt);
        Terrain terrain = new Terrain(PART);
        terrain.clear();
        for (int buffer : buffers) {
            terrain.place(buffer);
            experience.note(terrain);
        }
    }

    private double[] weights() {
        double[] weights = {1, 1, 1};
        experience.weigh(weights);
        return weights;
    }

    @Test
    void attemptsThatFollowArePulledToTheFullestPlacement() {
        play(LEADING, 1, 0);
        play(LEADING, 2);
        experience.begin(FOLLOWING);
        assertThat(experience.pull(1, 0)).isGreaterThan(1);
        assertThat(experience.pull(0, 7)).isGreaterThan(1);
        assertThat(experience.pull(0, 0)).isEqualTo(1);
        assertThat(experience.pull(2, 0)).isEqualTo(1);
        assertThat(weights()).containsExactly(1, 1, 1);
    }

    @Test
    void attemptsThatDoNotFollowPreferWhatWasLeftOver() {
        play(LEADING, 1, 0);
        play(LEADING, 1);
        experience.begin(LEADING);
        assertThat(experience.pull(1, 0)).isEqualTo(1);
        double[] weights = weights();
        assertThat(weights[1]).isEqualTo(1);
        assertThat(weights[0]).isGreaterThan(1);
        assertThat(weights[2]).isGreaterThan(weights[0]);
    }

    @Test
    void hardnessHasAnEnd() {
        for (int i = 0; i < 10_000; i++) {
            play(LEADING, 1);
        }
        experience.begin(LEADING);
        assertThat(weights()[0]).isEqualTo(1e6);
    }

    @Test
    void attemptsAtLargerTargetsNeitherLearnNorFollow() {
        play(LEADING, 1);
        play(attempt(16, true), 0, 1, 2);
        assertThat(experience.pull(1, 0)).isEqualTo(1);
        experience.begin(FOLLOWING);
        assertThat(experience.pull(1, 0)).isGreaterThan(1);
        assertThat(experience.pull(0, 0)).isEqualTo(1);
    }

    @Test
    void attemptsAtLargerTargetsFollowTheWholePlacement() {
        experience.know(new long[] {0, 10, 5});
        play(LEADING, 1);
        experience.begin(attempt(16, true));
        assertThat(experience.pull(1, 10)).isGreaterThan(1);
        assertThat(experience.pull(1, 0)).isEqualTo(1);
        experience.begin(attempt(16, false));
        assertThat(experience.pull(1, 10)).isEqualTo(1);
    }

    @Test
    void attemptsThatCanNotHaveLearntFollowTheWholePlacement() {
        experience.know(new long[] {0, 10, 5});
        experience.begin(FOLLOWING);
        assertThat(experience.pull(1, 10)).isGreaterThan(1);
        play(LEADING, 1);
        experience.begin(FOLLOWING);
        assertThat(experience.pull(1, 10)).isEqualTo(1);
        assertThat(experience.pull(1, 0)).isGreaterThan(1);
    }

    @Test
    void aSmallerTargetBeginsAnew() {
        play(LEADING, 1);
        experience.begin(attempt(14, true));
        assertThat(experience.pull(1, 0)).isEqualTo(1);
        experience.begin(attempt(14, false));
        assertThat(weights()).containsExactly(1, 1, 1);
    }

    @Test
    void whatTheLatestAttemptTaughtCanBeForgotten() {
        play(LEADING, 1);
        play(LEADING, 0, 1);
        experience.forgetLatest();
        experience.begin(FOLLOWING);
        assertThat(experience.pull(1, 0)).isGreaterThan(1);
        assertThat(experience.pull(1, 5)).isEqualTo(1);
    }
}
