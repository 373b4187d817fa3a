package io.devicearena.plan.internal.exact;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.internal.ejection.Lifetimes;
import io.devicearena.plan.optimal.Parts;
import io.devicearena.plan.placement.PlacementProblem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A valley of the middle one of three moments: a buffer of 4 lives there, one of 2 from there on, and one of 3 at each other one. */
class ValleyTest {
    private static final int SHORT = 0;
    private static final int LONG = 2;
    private static final long CAPACITY = 12;
    private static final long WALL = 10;

    private final Lifetimes part = Parts.first(new PlacementProblem(
            new long[] {4, 3, 2, 3, 1}, new long[] {1, 2, 1, 0, 0}, new long[] {2, 3, 3, 1, 3}, 1, 0));
    private final Terrain terrain = new Terrain(part);
    private final Room room = new Room(part);
    private final Valley valley = new Valley(part, terrain, room);
    private final Sweep sweep = new Sweep(part, terrain);
    private final Conflict conflict = new Conflict();

    @BeforeEach
    void begin() {
        terrain.clear();
        terrain.place(4);
        assertThat(room.resize(CAPACITY)).isTrue();
    }

    private void look(long before, long after) {
        valley.begin(1, 2, before, after);
        sweep.begin(1, 2);
        sweep.moveTo(1, valley);
    }

    private boolean hasRoom() {
        return valley.hasRoom(1, sweep.within(), sweep.beyond());
    }

    private void assertConflict(int from, int to) {
        assertThat(conflict.from()).isEqualTo(from);
        assertThat(conflict.to()).isEqualTo(to);
    }

    @Test
    void aBufferFromSideToSideIsAChoiceAtBothEdges() {
        look(WALL, WALL);
        assertThat(sweep.within()).isEqualTo(part.size(SHORT));
        assertThat(hasRoom()).isTrue();
        assertThat(valley.choices(true)).isEqualTo(1);
        assertThat(valley.choices(false)).isEqualTo(1);
        assertThat(valley.spanning()).isEqualTo(SHORT);
        assertThat(valley.rise(true, WALL, WALL)).isEqualTo(WALL);
        assertThat(valley.rise(false, Valley.NO_WALL, Valley.NO_WALL)).isEqualTo(Valley.NO_WALL);
    }

    @Test
    void onlyWallsThatSomethingReachesOverAreLookedAt() {
        look(WALL + 1, WALL);
        assertThat(sweep.beyond()).isEqualTo(Beyond.AFTER);
        assertThat(hasRoom()).isTrue();
        assertThat(valley.isSameBetween(WALL, WALL)).isTrue();
        assertThat(valley.isSameBetween(Valley.NO_WALL, Valley.NO_WALL)).isTrue();
        assertThat(valley.isSameBetween(WALL + 3, WALL - 2)).isTrue();
        assertThat(valley.isSameBetween(WALL, WALL + 1)).isFalse();
        look(WALL, WALL + 1);
        assertThat(hasRoom()).isFalse();
        valley.explain(1, sweep.beyond(), conflict);
        assertConflict(1, 3);
    }

    @Test
    void whereABufferIsKeptFromTheFloorOtherWallsAreLookedAtAgain() {
        lift(3);
        look(WALL, WALL);
        assertThat(hasRoom()).isTrue();
        assertThat(valley.choices(true)).isZero();
        assertThat(valley.spanning()).isEqualTo(Valley.NONE);
        assertThat(valley.isSameBetween(WALL, WALL)).isTrue();
        assertThat(valley.isSameBetween(WALL, WALL - 1)).isFalse();
        assertThat(valley.isSameBetween(Valley.NO_WALL, Valley.NO_WALL)).isFalse();
    }

    @Test
    void aBufferThatIsKeptAboveTheLowerWallMayLieBelowTheOther() {
        lift(WALL);
        look(Valley.NO_WALL, WALL);
        assertThat(sweep.within()).isZero();
        assertThat(sweep.beyond()).isEqualTo(Beyond.EITHER);
        assertThat(valley.wall(sweep.beyond())).isEqualTo(WALL);
        assertThat(valley.rise(true, Valley.NO_WALL, WALL)).isEqualTo(WALL);
        valley.explain(true, conflict);
        assertConflict(0, 3);
    }

    @Test
    void theChoicesAtAnEdgeRestOnTheOtherWallOnlyWhereSomethingReachesOverIt() {
        look(WALL, WALL);
        valley.explain(false, conflict);
        assertConflict(1, 3);
        valley.explain(true, conflict);
        assertConflict(0, 3);
        terrain.place(LONG);
        look(WALL, WALL);
        assertThat(sweep.beyond()).isEqualTo(Beyond.NEITHER);
        assertThat(valley.rise(true, WALL + 1, WALL)).isEqualTo(WALL + 1);
        valley.explain(true, conflict);
        assertConflict(0, 2);
        valley.explain(conflict);
        assertConflict(0, 3);
    }

    private void lift(long above) {
        conflict.set(0, 3);
        terrain.lift(SHORT, above, conflict);
    }
}
