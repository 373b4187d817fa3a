package io.devicearena.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOutOfMemoryException;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class SystemAllocationTest {
    @Test
    void memoryIsZeroedAndAligned_untilItIsFreed() {
        SystemAllocation memory = SystemAllocation.allocate("arena", 100);
        assertThat(memory.segment().byteSize()).isEqualTo(100);
        assertThat(memory.segment().address() % SystemAllocation.ALIGNMENT).isZero();
        assertThat(memory.segment().toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
        memory.free();
        assertThat(memory.segment().scope().isAlive()).isFalse();
    }

    @Test
    void moreThanIsFree_isRefusedWithBothFigures() {
        assertThatThrownBy(() -> SystemAllocation.requireFree("arena", Long.MAX_VALUE / 2, 3L << 30))
                .isExactlyInstanceOf(ArenaOutOfMemoryException.class)
                .hasMessage("arena: expected 4611686018427387903 bytes (4294967296.00 GiB) of free host memory, got"
                        + " 3221225472 bytes (3.00 GiB); close other arenas, or ask for less");
        assertThatCode(() -> SystemAllocation.requireFree("arena", 3L << 30, 3L << 30))
                .doesNotThrowAnyException();
    }

    @Test
    void allocationThatTheSystemRefuses_isRefusedWithItsCause() {
        assertThatThrownBy(() -> SystemAllocation.ofSystem("arena", Long.MAX_VALUE / 2))
                .isExactlyInstanceOf(ArenaOutOfMemoryException.class)
                .hasMessage("arena: expected 4611686018427387903 bytes (4294967296.00 GiB) of free host memory, the"
                        + " system refused them; close other arenas, or ask for less")
                .hasCauseInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(() -> SystemAllocation.ofSystem("arena", Long.MAX_VALUE))
                .isExactlyInstanceOf(ArenaOutOfMemoryException.class);
    }

    @Test
    void allocate_comparesWithTheFreeMemoryOfTheSystem() {
        assertThatThrownBy(() -> SystemAllocation.allocate("arena", Long.MAX_VALUE / 2))
                .isExactlyInstanceOf(ArenaOutOfMemoryException.class)
                .hasMessageStartingWith(
                        "arena: expected 4611686018427387903 bytes (4294967296.00 GiB) of free host" + " memory, ");
    }
}
