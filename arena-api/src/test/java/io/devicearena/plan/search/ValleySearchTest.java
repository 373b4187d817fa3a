package io.devicearena.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.search.Searcher.Verdict;
import io.devicearena.plan.strategy.PlacementProblem;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValleySearchTest {
    private static final int STEPS = 9;
    private static final int LEAST = 245;
    /** Needs {@value #LEAST} bytes, more than are ever live. */
    private static final PlacementProblem CORE = new PlacementProblem(
            new long[] {62, 80, 43, 60, 18, 56, 34, 4, 39, 3, 43, 13, 3, 48},
            new long[] {6, 0, 3, 5, 4, 0, 3, 7, 4, 0, 0, 5, 5, 1},
            new long[] {8, 3, 4, 7, 5, 5, 7, 9, 6, 8, 7, 9, 7, 6},
            1,
            0);

    /** The attempts are some that weigh waste the same in any capacity. */
    @ParameterizedTest(name = "attempt {0}")
    @ValueSource(ints = {1, 5})
    void buffersThatLiveAllTheTimeTakeANodeEach(int number) {
        long nodes = nodesOfProof(CORE, LEAST - 1, number);
        PlacementProblem more = withSpanning(CORE, 7, 9, 9, 11, 30, 2, 5, 64);
        assertThat(nodes).isGreaterThan(100);
        assertThat(nodesOfProof(more, LEAST - 1 + 137, number)).isEqualTo(nodes + 8);
    }

    private static long nodesOfProof(PlacementProblem problem, long target, int number) {
        Part part = Part.of(problem).getFirst();
        ValleySearch search = new ValleySearch(part, new Experience(part.count()));
        assertThat(search.run(new Attempt(target, number, 1_000_000), nodes -> false))
                .isEqualTo(Verdict.DOES_NOT_FIT);
        return search.nodes();
    }

    private static PlacementProblem withSpanning(PlacementProblem core, long... spanning) {
        int count = core.count() + spanning.length;
        long[] sizes = new long[count];
        long[] lowers = new long[count];
        long[] uppers = new long[count];
        for (int i = 0; i < core.count(); i++) {
            sizes[i] = core.size(i);
            lowers[i] = core.lower(i);
            uppers[i] = core.upper(i);
        }
        for (int i = 0; i < spanning.length; i++) {
            sizes[core.count() + i] = spanning[i];
            uppers[core.count() + i] = STEPS;
        }
        return new PlacementProblem(sizes, lowers, uppers, 1, 0);
    }
}
