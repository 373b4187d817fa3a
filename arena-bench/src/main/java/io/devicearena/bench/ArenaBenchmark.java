package io.devicearena.bench;

import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.discovery.DeviceArenas;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Writes and reads of one value, and a plain copy of the same bytes in host memory for comparison.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls the setup before anything else
public class ArenaBenchmark {
    private static final NodeId VALUE = NodeId.of(7);

    /** The provider whose arena is measured. */
    @Param("cpu")
    public String provider = "cpu";

    /** The size of the value in bytes. */
    @Param({"16", "4096", "1048576", "67108864"})
    public int bytes = 16;

    private final Arena host = Arena.ofShared();
    private DeviceArena arena;
    private MemorySegment block;
    private MemorySegment from;
    private MemorySegment to;
    private float[] array;

    /** Opens an arena with one slot, and touches all memory. */
    @Setup(Level.Trial)
    public void open() {
        MemoryPlan plan = new MemoryPlan(bytes, Map.of(VALUE, new BufferSlot(0, bytes)), List.of(VALUE));
        arena = DeviceArenas.open(plan, ArenaOptions.defaults().withProvider(provider));
        block = arena.unwrap(MemorySegment.class).orElseGet(() -> host.allocate(bytes, 64));
        from = host.allocate(bytes, 64).fill((byte) 1);
        to = host.allocate(bytes, 64).fill((byte) 2);
        array = new float[bytes / Float.BYTES];
    }

    /** Frees the memory. */
    @TearDown(Level.Trial)
    public void close() {
        arena.close();
        host.close();
    }

    /** The comparison for writes: copies the same bytes, to the memory of the arena if the host has access to it. */
    @Benchmark
    public void copyIn() {
        MemorySegment.copy(from, 0, block, 0, bytes);
    }

    /** The comparison for reads: copies the same bytes, from the memory of the arena if the host has access to it. */
    @Benchmark
    public void copyOut() {
        MemorySegment.copy(block, 0, to, 0, bytes);
    }

    /**
     * A typed write from host memory.
     *
     * @return elements written
     */
    @Benchmark
    public long write() {
        return arena.writeInputF32(VALUE, DType.F32, from);
    }

    /**
     * A typed write from an array.
     *
     * @return elements written
     */
    @Benchmark
    public long writeArray() {
        return arena.writeInputF32(VALUE, DType.F32, array);
    }

    /**
     * A typed read into host memory.
     *
     * @return elements read
     */
    @Benchmark
    public long read() {
        return arena.readOutputF32(VALUE, DType.F32, to);
    }

    /**
     * A typed read into an array.
     *
     * @return elements read
     */
    @Benchmark
    public long readArray() {
        return arena.readOutputF32(VALUE, DType.F32, array);
    }

    /** A raw write. */
    @Benchmark
    public void writeBytes() {
        arena.writeBytes(0, from);
    }

    /** A raw read. */
    @Benchmark
    public void readBytes() {
        arena.readBytes(0, to);
    }
}
