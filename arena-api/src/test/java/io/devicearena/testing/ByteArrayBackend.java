package io.devicearena.testing;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.DeviceKind;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.ArenaBackend;
import io.devicearena.spi.ArenaGeometry;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** The smallest backend: it moves bytes and checks that each call keeps the promises of the SPI. */
public final class ByteArrayBackend implements ArenaBackend {
    private final MemorySegment bytes;
    private final Runnable closing;
    /** How many times a transfer was made. */
    public int calls;
    /** Runs at the end of each transfer. */
    public Runnable afterHook = () -> {};

    public ByteArrayBackend(MemoryPlan plan, ArenaOptions options, Runnable closing) {
        bytes = MemorySegment.ofArray(
                new byte
                        [Math.toIntExact(
                                ArenaGeometry.of(plan, options, byteArray()).sizeBytes())]);
        this.closing = closing;
    }

    /** Opens an arena on a backend of its own. */
    public static DeviceArena open(MemoryPlan plan, ArenaOptions options, Runnable closing) {
        return new ByteArrayProvider(() -> new ByteArrayBackend(plan, options, closing))
                .openArena(byteArray(), plan, options);
    }

    /** Opens an arena on this backend, of a plan and options that need as many bytes. */
    public DeviceArena arena(MemoryPlan plan, ArenaOptions options) {
        return new ByteArrayProvider(() -> this).openArena(byteArray(), plan, options);
    }

    public static ArenaDevice byteArray() {
        return new ArenaDevice(
                "third",
                0,
                "byte array",
                "for a test",
                DeviceKind.HOST,
                0,
                new ArenaLimits(1 << 26, "array length", 16, Long.MAX_VALUE),
                Set.of());
    }

    @Override
    public void write(long offset, MemorySegment source) {
        check(offset, source);
        MemorySegment.copy(source, 0, bytes, offset, source.byteSize());
        afterHook.run();
    }

    @Override
    public void read(long offset, MemorySegment destination) {
        check(offset, destination);
        if (destination.isReadOnly()) {
            throw new AssertionError("a destination that is read-only");
        }
        MemorySegment.copy(bytes, offset, destination, 0, destination.byteSize());
        afterHook.run();
    }

    @Override
    public void close() {
        closing.run();
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
