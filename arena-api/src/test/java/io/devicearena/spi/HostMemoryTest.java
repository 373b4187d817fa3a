package io.devicearena.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.HostMemory;
import io.devicearena.MemoryPlan;
import io.devicearena.testing.ByteArrayBackend;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What every arena does with the memory of allocateHost, by the defaults of the SPI. */
class HostMemoryTest {
    private static final MemoryPlan PLAN = new MemoryPlan(64, Map.of(), List.of());

    private final AtomicInteger freed = new AtomicInteger();
    private final DeviceArena arena = ByteArrayBackend.open(PLAN, ArenaOptions.defaults(), freed::incrementAndGet);

    @Test
    void memoryIsZeroed_isFilledByTheCaller_andIsSourceAndDestination() {
        HostMemory host = arena.allocateHost(33);
        assertThat(host.byteSize()).isEqualTo(33);
        assertThat(host.segment().byteSize()).isEqualTo(33);
        assertThat(host.segment().toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
        host.segment().fill((byte) 7);
        arena.writeBytes(1, host.segment());
        host.segment().fill((byte) 0);
        arena.readBytes(0, host.segment().asSlice(0, 3));
        assertThat(host.segment().asSlice(0, 4).toArray(ValueLayout.JAVA_BYTE)).containsExactly(0, 7, 7, 0);
        assertThat(host).hasToString("host memory of 33 bytes");
    }

    @Test
    void closedMemoryIsRefused_andTheArenaWorksOn() {
        HostMemory host = arena.allocateHost(4);
        MemorySegment segment = host.segment();
        host.close();
        host.close();
        assertThat(host.isOpen()).isFalse();
        assertThatThrownBy(host::segment)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("host memory of 4 bytes is closed; allocate it from an open arena");
        assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> arena.writeBytes(0, segment))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("source: expected live memory, got a segment of 4 bytes whose arena is closed");
        arena.writeBytes(0, MemorySegment.ofArray(new byte[4]));
    }

    @Test
    void memoryIsFreedWithItsArena_beforeTheArenasOwn() {
        DeviceArena view = arena.view(PLAN);
        HostMemory host = arena.allocateHost(4);
        HostMemory ofView = view.allocateHost(4);
        MemorySegment segment = host.segment();
        arena.close();
        assertThat(host.isOpen()).isFalse();
        assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
        host.close();
        view.writeBytes(0, ofView.segment());
        assertThat(freed).hasValue(0);
        view.close();
        assertThat(ofView.isOpen()).isFalse();
        assertThat(freed).hasValue(1);
    }

    @Test
    void badSizesAndClosedArenasAreRefused() {
        for (long bytes : new long[] {0, -1, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> arena.allocateHost(bytes))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("bytes: expected 1 or more, got " + bytes);
        }
        arena.close();
        assertThatThrownBy(() -> arena.allocateHost(4))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("device arena 'device arena' is closed; open a new one");
    }
}
