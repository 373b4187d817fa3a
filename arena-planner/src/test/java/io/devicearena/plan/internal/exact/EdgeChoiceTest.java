package io.devicearena.plan.internal.exact;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.internal.ejection.Lifetimes;
import io.devicearena.plan.optimal.Parts;
import io.devicearena.plan.optimal.Problems;
import io.devicearena.plan.placement.PlacementProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EdgeChoiceTest {
    private static final int STEPS = 3_000;
    /** Draws searches near failures, and weighs waste. */
    private static final int ATTEMPT = 8;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whatIsKnownOfRunsChangesNoChoice(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        PlacementProblem problem = seed % 2 == 0 ? Problems.crowded(40, random) : Problems.cutSquare(60, seed);
        Lifetimes part = Parts.first(problem);
        long target = Parts.lowerBound(part) + Parts.lowerBound(part) / 50;
        Side knowing = new Side(part, target);
        Side forgetful = new Side(part, target);
        List<Integer> marks = new ArrayList<>();
        int settled = 0;
        for (int step = 0; step < STEPS; step++) {
            int at = unfinished(knowing.terrain, random.nextInt(part.moments()));
            marks.add(knowing.terrain.changes());
            int from = at;
            int to = at;
            while (from > 0 && knowing.terrain.rest(from - 1) > 0) {
                from--;
            }
            while (to < part.moments() && knowing.terrain.rest(to) > 0) {
                to++;
            }
            boolean isSettled = knowing.edges.settle(from, to);
            forgetful.terrain.runs().clear();
            assertThat(forgetful.edges.settle(from, to)).isEqualTo(isSettled);
            assertThat(knowing.state(isSettled)).isEqualTo(forgetful.state(isSettled));
            settled += isSettled ? 1 : 0;
            if (!isSettled || !knowing.mayGoOn(random.nextLong(), forgetful) || random.nextInt(20) == 0) {
                int back = Math.max(0, marks.size() - 1 - random.nextInt(1 + random.nextInt(8)));
                knowing.terrain.undo(marks.get(back));
                forgetful.terrain.undo(marks.get(back));
                marks.subList(back, marks.size()).clear();
            }
        }
        assertThat(settled).isBetween(STEPS / 20, STEPS - STEPS / 20);
    }

    /** An unfinished moment, from one on where there is one; the first moment where all are finished. */
    private static int unfinished(Terrain terrain, int from) {
        for (int m = from; m < terrain.moments(); m++) {
            if (terrain.rest(m) > 0) {
                return m;
            }
        }
        return 0;
    }

    /** A search that goes where it is told. */
    private static final class Side {
        private final Lifetimes part;
        private final Terrain terrain;
        private final Room room;
        private final EdgeChoice edges;
        private final Candidates candidates;
        private final Conflict anywhere = new Conflict();

        Side(Lifetimes part, long target) {
            this.part = part;
            this.terrain = new Terrain(part);
            this.room = new Room(part);
            this.edges = new EdgeChoice(part, terrain, room);
            Experience experience = new Experience(part.count());
            this.candidates = new Candidates(part, terrain, room, experience);
            Attempt attempt = new Attempt(target, ATTEMPT, 1);
            anywhere.set(0, part.moments());
            terrain.clear();
            assertThat(room.resize(target)).isTrue();
            experience.begin(attempt);
            edges.begin(attempt);
            candidates.begin(attempt);
        }

        /** Places, raises or lifts something at the chosen edge here and on another side; false where there is nothing. */
        boolean mayGoOn(long draw, Side other) {
            SplittableRandom random = new SplittableRandom(draw);
            if (edges.from() < 0) {
                return false;
            }
            int edge = edges.isAtLeft() ? edges.from() : edges.to() - 1;
            int[] found = edges.only() >= 0
                    ? new int[] {edges.only()}
                    : candidates.of(edges.from(), edges.to(), edges.isAtLeft());
            if (found.length > 0 && random.nextInt(4) > 0) {
                int buffer = found[random.nextInt(found.length)];
                if (random.nextInt(5) == 0) {
                    long above = terrain.floor(edge) + random.nextLong(1 + 3 * part.size(buffer));
                    terrain.lift(buffer, above, anywhere);
                    other.terrain.lift(buffer, above, anywhere);
                } else {
                    terrain.place(buffer);
                    other.terrain.place(buffer);
                }
                return true;
            }
            long rise = edges.rise();
            if (!edges.canRise(edge, rise)) {
                return false;
            }
            terrain.raise(edge, edge + 1, rise, anywhere);
            other.terrain.raise(edge, edge + 1, rise, anywhere);
            return true;
        }

        String state(boolean isSettled) {
            StringBuilder text = new StringBuilder();
            Conflict why = new Conflict();
            for (int m = 0; m < terrain.moments(); m++) {
                text.append(terrain.floor(m)).append(' ');
            }
            if (isSettled && edges.from() >= 0) {
                text.append(edges.from())
                        .append(edges.isAtLeft() ? " left " : " right ")
                        .append(edges.to())
                        .append(' ')
                        .append(edges.rise())
                        .append(' ')
                        .append(edges.only())
                        .append(edges.isForced());
                edges.explainChoices(why);
            } else if (!isSettled) {
                why.set(edges.conflict().from(), edges.conflict().to());
            }
            text.append(" because of ").append(why.from()).append('-').append(why.to());
            return text.toString();
        }
    }
}
