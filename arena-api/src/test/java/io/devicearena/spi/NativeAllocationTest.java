package io.devicearena.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOutOfMemoryException;
import org.junit.jupiter.api.Test;

class NativeAllocationTest {
    @Test
    void moreThanIsFree_isRefusedWithBothFigures() {
        assertThatThrownBy(() -> new NativeAllocation(3L << 30, 2L << 30))
                .isExactlyInstanceOf(ArenaOutOfMemoryException.class)
                .hasMessage("host memory: expected 3221225472 bytes (3.00 GiB) of free memory, got 2147483648 bytes"
                        + " (2.00 GiB); allocate less, or close what is not needed");
    }

    @Test
    void whatIsFree_isAllocated() {
        NativeAllocation memory = new NativeAllocation(64, 64);
        assertThat(memory.segment().byteSize()).isEqualTo(64);
        memory.free();
        assertThat(memory.segment().scope().isAlive()).isFalse();
    }
}
