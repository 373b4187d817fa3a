package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceException;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.Transfer;
import io.devicearena.spi.ArenaGeometry;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Faults of a single hook that does not keep a close waiting: it runs on memory that is freed. */
final class GuardMutants {
    private GuardMutants() {}

    /** What a device does with memory that is freed. */
    private enum Freed {
        /** It reports an error. */
        REPORTED,
        /** It does not notice: another arena has the memory. */
        SILENT
    }

    /** The hooks that these mutants leave without a guard. */
    private enum Hook {
        WRITE_RANGE,
        READ_RANGE,
        WRITE_FLOATS,
        READ_FLOATS,
        READ_REGIONS,
        BEGIN_REGIONS,
        WITH_RANGE,
        WRITE_PIECES,
        WRITE_REGIONS,
        BEGIN_WRITES,
        FILL_RANGE,
        COPY_RANGE,
        FLUSH_WRITES
    }

    static List<Mutant> all() {
        return List.of(
                of("writeRange runs without the guard", Hook.WRITE_RANGE, Freed.REPORTED),
                of("readRange runs without the guard", Hook.READ_RANGE, Freed.REPORTED),
                of("writeFloats runs without the guard", Hook.WRITE_FLOATS, Freed.REPORTED),
                of("readFloats runs without the guard", Hook.READ_FLOATS, Freed.REPORTED),
                of("readRegions runs without the guard", Hook.READ_REGIONS, Freed.REPORTED),
                of("beginRegions runs without the guard", Hook.BEGIN_REGIONS, Freed.REPORTED),
                of("withRange runs without the guard", Hook.WITH_RANGE, Freed.REPORTED),
                of("an upload with progress runs without the guard", Hook.WRITE_PIECES, Freed.REPORTED),
                of("writeRegions runs without the guard", Hook.WRITE_REGIONS, Freed.REPORTED),
                of("beginWrites runs without the guard", Hook.BEGIN_WRITES, Freed.REPORTED),
                of("fillRange runs without the guard", Hook.FILL_RANGE, Freed.REPORTED),
                of("copyRange runs without the guard", Hook.COPY_RANGE, Freed.REPORTED),
                of("flushWrites runs without the guard", Hook.FLUSH_WRITES, Freed.REPORTED),
                of("writeFloats may write into the next arena", Hook.WRITE_FLOATS, Freed.SILENT),
                of("fillRange may fill the next arena", Hook.FILL_RANGE, Freed.SILENT));
    }

    private static Mutant of(String fault, Hook hook, Freed freed) {
        return Mutant.ofState(fault, "9.8", "expected", () -> {
            AtomicReference<WeakReference<@Nullable Unguarded>> newest =
                    new AtomicReference<>(new WeakReference<>(null));
            return (device, plan, options, geometry) -> {
                Unguarded arena = new Unguarded(device, plan, options, geometry, hook, freed, newest.get());
                newest.set(new WeakReference<>(arena));
                return arena;
            };
        });
    }

    /** An arena, one hook of which may find its memory freed. */
    private static final class Unguarded extends MetByClose {
        private final Hook faulty;
        private final Freed freed;
        private final WeakReference<@Nullable Unguarded> previous;

        /** The arena that was opened next, when the kit has filled it. */
        private final CompletableFuture<ReferenceArena> next = new CompletableFuture<>();

        Unguarded(
                ArenaDevice device,
                MemoryPlan plan,
                ArenaOptions options,
                ArenaGeometry geometry,
                Hook faulty,
                Freed freed,
                WeakReference<@Nullable Unguarded> previous) {
            // each caller of the kit makes two calls before the close, and the arena was written before
            super(faulty == Hook.WRITE_RANGE ? 3 : 2, device, plan, options, geometry);
            this.faulty = faulty;
            this.freed = freed;
            this.previous = previous;
        }

        @Override
        public void fillBytes(long offset, long length, byte value) {
            super.fillBytes(offset, length, value);
            Unguarded before = previous.get();
            if (before != null) {
                before.next.complete(this);
            }
        }

        private <R> R run(Hook hook, Supplier<R> move, Supplier<R> elsewhere) {
            if (hook != faulty) {
                return move.get();
            }
            try {
                awaitClose();
                return move.get();
            } catch (IllegalStateException e) {
                if (open) {
                    throw e; // memory of the caller
                }
                if (freed == Freed.REPORTED) {
                    throw new DeviceException("copy: expected a buffer, got one that is released", e);
                }
                return elsewhere.get();
            }
        }

        private void run(Hook hook, Runnable move, Runnable elsewhere) {
            run(
                    hook,
                    () -> {
                        move.run();
                        return true;
                    },
                    () -> {
                        elsewhere.run();
                        return true;
                    });
        }

        private <R> R run(Hook hook, Supplier<R> move) {
            return run(hook, move, move);
        }

        private void run(Hook hook, Runnable move) {
            run(hook, move, move);
        }

        private ReferenceArena next() {
            return next.join();
        }

        @Override
        public void writeBytes(long offset, MemorySegment source) {
            requireOpen();
            run(Hook.WRITE_RANGE, () -> super.writeBytes(offset, source));
        }

        @Override
        public void readBytes(long offset, MemorySegment destination) {
            requireOpen();
            run(Hook.READ_RANGE, () -> super.readBytes(offset, destination));
        }

        @Override
        void writeTyped(NodeId id, BufferSlot slot, DType dtype, MemorySegment source, long count) {
            run(
                    Hook.WRITE_FLOATS,
                    () -> super.writeTyped(id, slot, dtype, source, count),
                    () -> next().writeTyped(id, slot, dtype, source, count));
        }

        @Override
        void readTyped(NodeId id, BufferSlot slot, DType dtype, MemorySegment destination, long count) {
            run(Hook.READ_FLOATS, () -> super.readTyped(id, slot, dtype, destination, count));
        }

        @Override
        long readRegions(List<Batch.Region> regions) {
            return run(Hook.READ_REGIONS, () -> super.readRegions(regions));
        }

        @Override
        ReferenceRead begin(List<Batch.Region> regions) {
            return run(Hook.BEGIN_REGIONS, () -> super.begin(regions));
        }

        @Override
        <R> R withCopy(long offset, long length, Function<MemorySegment, R> reader) {
            requireOpen();
            return run(Hook.WITH_RANGE, () -> super.withCopy(offset, length, reader));
        }

        @Override
        void writePieces(long offset, MemorySegment source, LongConsumer progress) {
            run(Hook.WRITE_PIECES, () -> super.writePieces(offset, source, progress));
        }

        @Override
        void writeRegions(List<Batch.Region> regions) {
            run(Hook.WRITE_REGIONS, () -> super.writeRegions(regions));
        }

        @Override
        Transfer begun(List<Batch.Region> regions) {
            return run(Hook.BEGIN_WRITES, () -> super.begun(regions));
        }

        @Override
        void fill(long offset, long length, byte value) {
            run(Hook.FILL_RANGE, () -> super.fill(offset, length, value), () -> next().fill(offset, length, value));
        }

        @Override
        void copy(long from, long to, long length) {
            run(Hook.COPY_RANGE, () -> super.copy(from, to, length));
        }

        @Override
        void flushed() {
            run(Hook.FLUSH_WRITES, () -> get(0, MemorySegment.ofArray(new byte[1])));
        }
    }
}
