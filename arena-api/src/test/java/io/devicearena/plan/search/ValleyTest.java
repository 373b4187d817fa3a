package io.devicearena.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.strategy.PlacementProblem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A valley of the first of two moments: a buffer of 4 lives there, one of 3 at the other, and one of 2 at both. */
class ValleyTest {
    private static final int SHORT = 0;
    private static final int LONG = 2;
    private static final long CAPACITY = 12;
    private static final long WALL = 10;

    private final Part part = Part.of(
                    new PlacementProblem(new long[] {4, 3, 2}, new long[] {0, 1, 0}, new long[] {1, 2, 2}, 1, 0))
            .getFirst();
    private final Terrain terrain = new Terrain(part);
    private final Room room = new Room(part);
    private final Valley valley = new Valley(part, terrain, room);

    @BeforeEach
    void begin() {
        terrain.clear();
        assertThat(room.resize(CAPACITY)).isTrue();
    }

    private void look() {
        valley.begin(0, 1, WALL);
        assertThat(valley.holds(SHORT)).isTrue();
        assertThat(valley.holds(LONG)).isFalse();
        valley.count(SHORT);
        assertThat(valley.hasRoom(0, 4)).isTrue();
    }

    @Test
    void aBufferFromSideToSideIsAChoiceAtBothEdges() {
        look();
        assertThat(valley.choices(true)).isEqualTo(1);
        assertThat(valley.choices(false)).isEqualTo(1);
        assertThat(valley.spanning()).isEqualTo(SHORT);
        assertThat(valley.rise(true, WALL)).isEqualTo(WALL);
        assertThat(valley.rise(false, Valley.NO_WALL)).isEqualTo(Valley.NO_WALL);
    }

    @Test
    void aHigherWallThanWhatIsLeftFindsRoomUnderIsLookedAtAgain() {
        look();
        assertThat(valley.isSameUnder(WALL - 1)).isTrue();
        assertThat(valley.isSameUnder(Valley.NO_WALL)).isTrue();
        assertThat(valley.isSameUnder(WALL + 1)).isFalse();
        valley.begin(0, 1, WALL + 1);
        assertThat(valley.hasRoom(0, 4)).isFalse();
    }

    @Test
    void whereABufferIsKeptFromTheFloorAnyOtherWallIsLookedAtAgain() {
        terrain.lift(SHORT, 3);
        look();
        assertThat(valley.choices(true)).isZero();
        assertThat(valley.spanning()).isEqualTo(Valley.NONE);
        assertThat(valley.isSameUnder(WALL)).isTrue();
        assertThat(valley.isSameUnder(WALL - 1)).isFalse();
        assertThat(valley.isSameUnder(Valley.NO_WALL)).isFalse();
    }
}
