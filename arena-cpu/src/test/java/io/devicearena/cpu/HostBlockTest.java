package io.devicearena.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOutOfMemoryException;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class HostBlockTest {
    @Test
    void blockIsZeroedAndAligned() {
        HostBlock block = HostBlock.allocate(100);
        assertThat(block.segment().byteSize()).isEqualTo(100);
        assertThat(block.segment().address() % HostBlock.ALIGNMENT).isZero();
        assertThat(block.segment().toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
        block.free();
        assertThat(block.segment().scope().isAlive()).isFalse();
    }

    @Test
    void moreThanIsFree_isRefusedWithBothFigures() {
        assertThatThrownBy(() -> HostBlock.allocate(Long.MAX_VALUE / 2, 3L << 30))
                .isExactlyInstanceOf(ArenaOutOfMemoryException.class)
                .hasMessage("arena: expected 4611686018427387903 bytes (4294967296.00 GiB) of free host memory, got"
                        + " 3221225472 bytes (3.00 GiB); close other arenas or plan a smaller one");
    }

    @Test
    void allocationThatTheSystemRefuses_isRefusedWithItsCause() {
        assertThatThrownBy(() -> HostBlock.allocate(Long.MAX_VALUE / 2, Long.MAX_VALUE))
                .isExactlyInstanceOf(ArenaOutOfMemoryException.class)
                .hasMessage("arena: expected 4611686018427387903 bytes (4294967296.00 GiB) of free host memory, the"
                        + " system refused them; close other arenas or plan a smaller one")
                .hasCauseInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(() -> HostBlock.allocate(Long.MAX_VALUE, Long.MAX_VALUE))
                .isExactlyInstanceOf(ArenaOutOfMemoryException.class)
                .hasMessage("arena: expected 9223372036854775807 bytes (8589934592.00 GiB) of free host memory, the"
                        + " system refused them; close other arenas or plan a smaller one");
    }

    @Test
    void allocate_comparesWithTheHostsFreeMemory() {
        assertThatThrownBy(() -> HostBlock.allocate(Long.MAX_VALUE / 2))
                .isExactlyInstanceOf(ArenaOutOfMemoryException.class)
                .hasMessageStartingWith(
                        "arena: expected 4611686018427387903 bytes (4294967296.00 GiB) of free host" + " memory, ");
    }
}
