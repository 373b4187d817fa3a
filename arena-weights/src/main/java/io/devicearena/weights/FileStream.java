package io.devicearena.weights;

import io.devicearena.DeviceArena;
import io.devicearena.HostMemory;
import io.devicearena.Transfer;
import io.devicearena.weights.internal.loading.Piece;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Streams pieces of files into an arena. Threads read ahead into host memory from which the device copies by itself;
 * the device copies one piece while the next ones are read.
 *
 * <p>Threads: one thread at a time.
 */
final class FileStream implements AutoCloseable {
    /** Host memories for each reader: one that it fills, and one that the device copies. */
    private static final int MEMORIES = 2;

    /**
     * How many pieces are read in the time in which the driver locks the pages of a new memory. It does so for one
     * after the other, while readers read side by side: with the square root of (pieces / this) memories both take as
     * long.
     */
    private static final int READS_OF_LOCK = 8;

    private final WeightSource source;
    private final DeviceArena arena;
    private final List<Piece> pieces;
    private final ExecutorService readers;
    private final List<Slot> slots = new ArrayList<>();

    FileStream(WeightSource source, DeviceArena arena, List<Piece> pieces, int threads) {
        this.source = source;
        this.arena = arena;
        this.pieces = pieces;
        int longest = pieces.stream().mapToInt(Piece::bytes).max().orElse(0);
        readers = Executors.newFixedThreadPool(
                threads,
                Thread.ofPlatform().daemon().name("device-arena-weights-", 0).factory());
        int memories = Math.max(MEMORIES, (int) Math.sqrt((double) pieces.size() / READS_OF_LOCK));
        for (int i = 0; i < Math.min(memories, threads * MEMORIES); i++) {
            slots.add(new Slot(arena, Math.max(1, longest)));
        }
    }

    /** Host memory, and the write that the device makes from it. */
    private static final class Slot {
        private final DeviceArena arena;
        private final int bytes;
        private @Nullable HostMemory memory;
        private @Nullable Transfer fence;

        Slot(DeviceArena arena, int bytes) {
            this.arena = arena;
            this.bytes = bytes;
        }

        /** Reads a piece once the device has finished with the memory. */
        MemorySegment fill(WeightSource source, Piece piece) {
            if (memory == null) { // by the reader: the device clears new memory, which takes as long as reading it
                memory = arena.allocateHost(bytes);
            }
            if (fence != null) {
                fence.await();
            }
            MemorySegment segment = memory.segment();
            for (Piece.Part part : piece.parts()) {
                source.read(part.tensor(), part.first(), Piece.slice(part, segment));
            }
            return segment;
        }

        /** Waits for the device and frees the memory. */
        void close() {
            if (arena.isOpen() && fence != null) {
                fence.await();
            }
            if (memory != null) {
                memory.close();
            }
        }
    }

    /**
     * Writes all pieces in their order.
     *
     * @param listener called on this thread with each part, when its write has begun
     */
    void write(Consumer<Piece.Part> listener) {
        Queue<Future<MemorySegment>> reads = new ArrayDeque<>();
        int next = 0;
        for (int i = 0; i < pieces.size(); i++) {
            for (; next < Math.min(i + slots.size(), pieces.size()); next++) {
                Slot slot = slots.get(next % slots.size());
                Piece piece = pieces.get(next);
                reads.add(readers.submit(() -> slot.fill(source, piece)));
            }
            MemorySegment memory = result(reads.remove());
            slots.get(i % slots.size()).fence = arena.beginWrite(pieces.get(i).batch(arena, memory));
            pieces.get(i).parts().forEach(listener);
        }
    }

    /** Waits for a read; an interrupted thread stays interrupted. */
    private static MemorySegment result(Future<MemorySegment> read) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return read.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error failure) {
                throw failure;
            }
            throw (RuntimeException) Objects.requireNonNull(e.getCause()); // reading throws no checked exception
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits for the reads and writes under way, and frees the host memory. */
    @Override
    public void close() {
        readers.close();
        slots.forEach(Slot::close);
    }
}
