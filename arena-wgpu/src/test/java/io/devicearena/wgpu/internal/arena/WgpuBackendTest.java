package io.devicearena.wgpu.internal.arena;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOutOfMemoryException;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class WgpuBackendTest {
    @Test
    void emulatedGpu_moreThanTheHostHas_isRefused() {
        assertThatThrownBy(() -> WgpuBackend.requireHostMemory("weights", 3L << 30, OptionalLong.of(2L << 30)))
                .isExactlyInstanceOf(ArenaOutOfMemoryException.class)
                .hasMessage("arena 'weights': expected 3221225472 bytes (3.00 GiB) of free host memory for an emulated"
                        + " GPU, got 2147483648 bytes (2.00 GiB); close other arenas or plan a smaller one");
        WgpuBackend.requireHostMemory("weights", 2L << 30, OptionalLong.of(2L << 30));
        WgpuBackend.requireHostMemory("weights", Long.MAX_VALUE, OptionalLong.empty());
    }
}
