package io.devicearena.plan.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SectionTest {
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void sectionsPartTheLivesAndNoneMeetsAnother(long seed) {
        for (int i = 0; i < 50; i++) {
            PlacementProblem problem = Problems.small(50 * seed + i);
            if (problem.occupying().length > 0) {
                Lives lives = new Lives(problem);
                check(lives, Section.of(lives), lives.count());
            }
        }
    }

    /** Goes down to sections that nothing spans. */
    private static void check(Lives lives, List<Section> sections, int count) {
        assertThat(sections.stream().mapToInt(Section::count).sum()).isEqualTo(count);
        for (int k = 1; k < sections.size(); k++) {
            assertThat(end(lives, sections.get(k - 1))).isLessThanOrEqualTo(begin(lives, sections.get(k)));
        }
        for (Section section : sections) {
            int begin = begin(lives, section);
            assertThat(section.moments()).isEqualTo(end(lives, section) - begin);
            boolean[] covered = new boolean[section.moments()];
            int spanning = 0;
            for (int i = 0; i < section.count(); i++) {
                int life = section.life(i);
                assertThat(section.first(i)).isEqualTo(lives.first(life) - begin);
                assertThat(section.end(i)).isEqualTo(lives.end(life) - begin);
                assertThat(section.size(i)).isEqualTo(lives.size(life));
                assertThat(section.bytes(i)).isEqualTo(lives.bytes(life));
                assertThat(section.steps(i)).isEqualTo(lives.steps(life));
                Arrays.fill(covered, section.first(i), section.end(i), true);
                spanning += section.isSpanning(i) ? 1 : 0;
            }
            assertThat(covered).doesNotContain(false);
            if (spanning > 0) {
                check(lives, section.inside(), section.count() - spanning);
            }
        }
    }

    private static int begin(Lives lives, Section section) {
        return livesOf(section).map(lives::first).min().orElseThrow();
    }

    private static int end(Lives lives, Section section) {
        return livesOf(section).map(lives::end).max().orElseThrow();
    }

    private static IntStream livesOf(Section section) {
        return IntStream.range(0, section.count()).map(section::life);
    }

    @Test
    void whatOnlyALongLifeHoldsTogetherFallsApart() {
        Lives lives = new Lives(new PlacementProblem(
                new long[] {1, 2, 3, 4, 5, 6}, new long[] {0, 0, 4, 5, 7, 9}, new long[] {8, 4, 6, 8, 8, 10}, 1, 0));
        List<Section> sections = Section.of(lives);
        assertThat(sections).extracting(Section::count).containsExactly(5, 1);
        List<Section> inside = sections.getFirst().inside();
        assertThat(inside).extracting(Section::count).containsExactly(1, 3);
        assertThat(inside.getLast().inside()).extracting(Section::count).containsExactly(1, 1);
        assertThat(sections.getLast().inside()).isEmpty();
    }
}
