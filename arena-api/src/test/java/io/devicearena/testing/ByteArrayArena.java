package io.devicearena.testing;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceKind;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.AbstractDeviceArena;
import io.devicearena.spi.ArenaGeometry;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** The smallest backend: it moves bytes and checks that each call keeps the promises of the SPI. */
public final class ByteArrayArena extends AbstractDeviceArena {
    private final MemorySegment bytes;
    /** How many times a hook was called. */
    public int calls;

    public ByteArrayArena(MemoryPlan plan, ArenaOptions options, Runnable memory) {
        this(plan, options, memory, ArenaGeometry.of(plan, options, byteArray()));
    }

    private ByteArrayArena(MemoryPlan plan, ArenaOptions options, Runnable memory, ArenaGeometry geometry) {
        super(byteArray(), plan, options, geometry, memory);
        bytes = MemorySegment.ofArray(new byte[Math.toIntExact(geometry.sizeBytes())]);
    }

    public static ArenaDevice byteArray() {
        return new ArenaDevice(
                "third",
                0,
                "byte array",
                "for a test",
                DeviceKind.HOST,
                0,
                new ArenaLimits(1 << 20, "array length", 16, Long.MAX_VALUE),
                Set.of());
    }

    @Override
    protected void writeRange(long offset, MemorySegment source) {
        check(offset, source);
        MemorySegment.copy(source, 0, bytes, offset, source.byteSize());
    }

    @Override
    protected void readRange(long offset, MemorySegment destination) {
        check(offset, destination);
        if (destination.isReadOnly()) {
            throw new AssertionError("a destination that is read-only");
        }
        MemorySegment.copy(bytes, offset, destination, 0, destination.byteSize());
    }

    private void check(long offset, MemorySegment memory) {
        calls++;
        if (memory.byteSize() == 0) {
            throw new AssertionError("an empty range");
        }
        if (offset < 0 || offset + memory.byteSize() > bytes.byteSize()) {
            throw new AssertionError("a range outside the arena");
        }
        if (!memory.scope().isAlive() || !memory.isAccessibleBy(Thread.currentThread())) {
            throw new AssertionError("memory out of reach");
        }
    }
}
