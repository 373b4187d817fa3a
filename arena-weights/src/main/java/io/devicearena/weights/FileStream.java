package io.devicearena.weights;

import io.devicearena.DeviceArena;
import io.devicearena.HostMemory;
import io.devicearena.WriteFence;
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
    /** More do not read faster from the page cache of a machine with one socket. */
    private static final int MOST_READERS = 6;
    /** Host memories for each reader: one that it fills, and one that the device copies. */
    private static final int MEMORIES = 2;

    private final WeightSource source;
    private final DeviceArena arena;
    private final List<Piece> pieces;
    private final ExecutorService readers;
    private final List<Slot> slots = new ArrayList<>();

    FileStream(WeightSource source, DeviceArena arena, List<Piece> pieces) {
        this.source = source;
        this.arena = arena;
        this.pieces = pieces;
        int threads = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MOST_READERS);
        int longest = pieces.stream().mapToInt(Piece::bytes).max().orElse(0);
        readers = Executors.newFixedThreadPool(
                threads,
                Thread.ofPlatform().daemon().name("device-arena-weights-", 0).factory());
        try {
            for (int i = 0; i < Math.min(threads * MEMORIES, pieces.size()); i++) {
                slots.add(new Slot(arena.allocateHost(Math.max(1, longest))));
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Host memory, and the write that the device makes from it. */
    private static final class Slot {
        private final HostMemory memory;
        private @Nullable WriteFence fence;

        Slot(HostMemory memory) {
            this.memory = memory;
        }

        /** Reads a piece once the device has finished with the memory. */
        MemorySegment fill(WeightSource source, Piece piece) {
            if (fence != null) {
                fence.await();
            }
            MemorySegment segment = memory.segment();
            for (Piece.Part part : piece.parts()) {
                source.read(part.tensor(), part.first(), Piece.slice(part, segment));
            }
            return segment;
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
        for (Slot slot : slots) {
            if (arena.isOpen() && slot.fence != null) {
                slot.fence.await();
            }
            slot.memory.close();
        }
    }
}
