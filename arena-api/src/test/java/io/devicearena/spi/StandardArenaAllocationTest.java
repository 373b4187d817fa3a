package io.devicearena.spi;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.spi.memory.Span;
import io.devicearena.testing.ByteArrayBackend;
import io.devicearena.testing.ByteArrayProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Calls that repeat at every step allocate nothing in front of the backend, without the module arena-diagnostics. */
@Tag("slow")
class StandardArenaAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int CALLS = 100_000;

    /** Compilation ends some time after the calls that trigger it, so there are several attempts. */
    private static final int ATTEMPTS = 8;

    /** A backend that does nothing, so that it allocates nothing. */
    private static final class Idle implements ArenaBackend {
        @Override
        public void write(long offset, MemorySegment source) {}

        @Override
        public void read(long offset, MemorySegment destination) {}

        @Override
        public void writeFloats(BufferSlot slot, DType dtype, float[] source, int elements) {}

        @Override
        public void readFloats(BufferSlot slot, DType dtype, MemorySegment destination, long elements) {}

        @Override
        public void write(List<Span> spans) {}

        @Override
        public void read(List<Span> spans) {}
    }

    @Test
    void typedRawAndBatchedCalls_allocateNothing() {
        NodeId value = NodeId.of(1);
        MemoryPlan plan = new MemoryPlan(400, Map.of(value, new BufferSlot(0, 400)), List.of(value));
        float[] floats = new float[100];
        try (DeviceArena arena = new ByteArrayProvider(Idle::new)
                        .openArena(ByteArrayBackend.byteArray(), plan, ArenaOptions.defaults());
                Arena memory = Arena.ofConfined()) {
            MemorySegment segment = memory.allocate(400, 4);
            Batch batch = Batch.builder()
                    .floats(value, DType.F16, floats)
                    .bytes(3, memory.allocate(5))
                    .build();
            long least = Long.MAX_VALUE;
            for (int attempt = 0; attempt < ATTEMPTS && least > 0; attempt++) {
                long before = THREADS.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < CALLS; i++) {
                    arena.writeInputF32(value, DType.F32, floats);
                    arena.readOutputF32(value, DType.F16, segment);
                    arena.writeBytes(0, segment);
                    arena.readBytes(0, segment);
                    arena.writeBatch(batch);
                    arena.readBatch(batch);
                }
                least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(least).as("bytes allocated in %s calls", 6 * CALLS).isZero();
        }
    }
}
