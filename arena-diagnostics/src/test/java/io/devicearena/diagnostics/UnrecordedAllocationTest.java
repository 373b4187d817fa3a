package io.devicearena.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.ArenaBackend;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import io.devicearena.spi.SpiVersion;
import io.devicearena.spi.memory.Span;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * With arena-diagnostics on the path and no recording, an arena adds no allocation to the calls that repeat at every
 * step, compiled or not.
 */
class UnrecordedAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int CALLS = 1_000;

    /** The first calls link classes, and the JVM allocates a little when it compiles a loop. */
    private static final int ATTEMPTS = 20;

    private final DeviceArena arena =
            new Still().openArena(TestProvider.DEVICE, CheckedGraph.plan(), ArenaOptions.defaults());

    @AfterEach
    void close() {
        arena.close();
    }

    /** A provider, and a backend that moves nothing, so that the arena in front of it is measured alone. */
    private record Still() implements DeviceArenaProvider, ArenaBackend {
        @Override
        public int spiVersion() {
            return SpiVersion.CURRENT;
        }

        @Override
        public String name() {
            return TestProvider.DEVICE.provider();
        }

        @Override
        public Availability probe() {
            return new Availability.Ready(List.of(TestProvider.DEVICE));
        }

        @Override
        public ArenaBackend open(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
            return this;
        }

        @Override
        public void write(long offset, MemorySegment source) {}

        @Override
        public void read(long offset, MemorySegment destination) {}

        @Override
        public void writeFloats(BufferSlot slot, DType dtype, float[] source, int elements) {}

        @Override
        public void readFloats(BufferSlot slot, DType dtype, float[] destination, int elements) {}

        @Override
        public void writeFloats(BufferSlot slot, DType dtype, MemorySegment source, long elements) {}

        @Override
        public void readFloats(BufferSlot slot, DType dtype, MemorySegment destination, long elements) {}

        @Override
        public void write(List<Span> spans) {}

        @Override
        public void read(List<Span> spans) {}
    }

    private static void assertAllocatesNothing(Runnable call) {
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < ATTEMPTS && least > 0; attempt++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < CALLS; i++) {
                call.run();
            }
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).as("bytes allocated in %s calls", CALLS).isZero();
    }

    @Test
    void typedCalls() {
        float[] floats = new float[CheckedGraph.N];
        MemorySegment segment = MemorySegment.ofArray(floats);
        assertAllocatesNothing(() -> {
            arena.writeInputF32(CheckedGraph.X, DType.F32, floats);
            arena.readOutputF32(CheckedGraph.X, DType.F32, floats);
            arena.writeInputF32(CheckedGraph.X, DType.F32, segment);
            arena.readOutputF32(CheckedGraph.X, DType.F32, segment);
        });
    }

    @Test
    void rawCalls() {
        MemorySegment bytes = MemorySegment.ofArray(new byte[24]);
        assertAllocatesNothing(() -> {
            arena.writeBytes(333, bytes);
            arena.readBytes(77, bytes);
            arena.writeValueBytes(CheckedGraph.X, 4, bytes);
            arena.readValueBytes(CheckedGraph.X, 4, bytes);
            arena.flush();
        });
    }

    @Test
    void batches() {
        Batch batch = Batch.builder()
                .floats(CheckedGraph.X, DType.F32, new float[CheckedGraph.N])
                .bytes(3, MemorySegment.ofArray(new byte[5]))
                .build();
        assertAllocatesNothing(() -> {
            arena.writeBatch(batch);
            arena.readBatch(batch);
        });
    }
}
