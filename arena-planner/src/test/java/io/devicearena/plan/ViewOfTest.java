package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.NodeId;
import org.junit.jupiter.api.Test;

class ViewOfTest {
    private static final NodeId PARENT = NodeId.of(4);

    @Test
    void aViewOfTheWholeBeginsAtTheFirstElement() {
        assertThat(ViewOf.whole(PARENT)).isEqualTo(new ViewOf(PARENT, 0));
    }

    @Test
    void aViewOfRowsBeginsBehindTheRowsBeforeIt() {
        assertThat(ViewOf.rows(PARENT, 3, 5)).isEqualTo(new ViewOf(PARENT, 15));
        assertThat(ViewOf.rows(PARENT, 3, 0)).isEqualTo(new ViewOf(PARENT, 0));
    }

    @Test
    void theFirstElementIsNotNegative() {
        assertThatThrownBy(() -> new ViewOf(PARENT, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("view of node 4: expected a first element of 0 or more, got -1");
    }

    @Test
    void rowsAndTheirLengthAreNotNegative() {
        assertThatThrownBy(() -> ViewOf.rows(PARENT, -1, 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("view of node 4: expected a first row and a row length of 0 or more, got -1 and 5");
        assertThatThrownBy(() -> ViewOf.rows(PARENT, 1, -5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("view of node 4: expected a first row and a row length of 0 or more, got 1 and -5");
    }

    @Test
    void rowsThatOverflowALongAreRefused() {
        assertThatThrownBy(() -> ViewOf.rows(PARENT, Long.MAX_VALUE, 2))
                .isInstanceOf(ArithmeticException.class)
                .hasMessage("long overflow");
    }
}
