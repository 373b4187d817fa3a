package io.devicearena.conformance.sequence;

import io.devicearena.Batch;
import io.devicearena.Transfer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/**
 * A batch, which may be moved again.
 *
 * @param key of the call that made it
 * @param held the arena
 * @param batch its regions
 * @param pieces the same regions
 * @param isWrite the direction
 */
record Batched(int key, Held held, Batch batch, List<Piece> pieces, boolean isWrite) {
    /** Batches of fewer bytes may be moved again. */
    private static final int KEPT = 1 << 16;

    static Batched of(World world, int key, Held held, List<Piece> pieces, boolean isWrite) {
        Batch.Builder builder = Batch.builder();
        pieces.forEach(piece -> piece.addTo(builder));
        Batched made = new Batched(key, held, builder.build(), pieces, isWrite);
        long bytes = pieces.stream()
                .mapToLong(piece -> piece.memory().whole().byteSize())
                .sum();
        if (bytes < KEPT && pieces.stream().allMatch(piece -> piece.memory().host() == null)) {
            world.batches.add(made);
        }
        world.endBlock();
        return made;
    }

    /** Whether another one moves the same batch. */
    boolean isOf(Batched other) {
        return batch.equals(other.batch);
    }

    /** Whether it moves host memory of an arena. */
    boolean isWithHostOf(Held owner) {
        return pieces.stream()
                .map(piece -> piece.memory().host())
                .anyMatch(host -> host != null && host.owner == owner);
    }

    /** Fills sources, or marks destinations. */
    void prepare(World world) {
        pieces.forEach(piece -> piece.prepare(world, isWrite));
    }

    void move(World world, boolean isDeferred) {
        long count = pieces.stream()
                .mapToLong(isWrite ? Piece::written : Piece::readable)
                .sum();
        if (isDeferred) {
            List<MemorySegment> expected = isWrite ? List.of() : expected();
            Transfer transfer = isWrite ? held.arena.beginWrite(batch) : held.arena.beginRead(batch);
            world.flights.add(new Flight(this, transfer, expected, count));
        } else if (isWrite) {
            held.arena.writeBatch(batch);
        } else {
            world.same("count of a batch", "%s", count, held.arena.readBatch(batch));
            finishRead(world, null);
        }
        if (isWrite) {
            pieces.forEach(Piece::expectWritten);
            if (pieces.size() == 1) {
                pieces.getFirst().checkMirror(world);
            }
            pieces.stream()
                    .filter(piece -> !isDeferred || piece.memory().host() == null)
                    .forEach(piece -> piece.end(world, true));
        }
    }

    /** What a read that is begun now delivers. */
    List<MemorySegment> expected() {
        return pieces.stream()
                .map(piece -> MemorySegment.ofArray(piece.expected().toArray(ValueLayout.JAVA_BYTE)))
                .toList();
    }

    /** Compares the destinations with what they must hold; other contents may be what a later read has delivered. */
    void finishRead(World world, @Nullable List<MemorySegment> expected) {
        List<Flight> later = world.flightsOf(this);
        for (int i = 0; i < pieces.size(); i++) {
            int region = i;
            Piece piece = pieces.get(i);
            MemorySegment part = piece.memory().part();
            if (later.stream()
                    .map(one -> one.expected().get(region))
                    .noneMatch(one -> one.mismatch(part.asSlice(0, one.byteSize())) < 0)) {
                piece.verify(world, expected == null ? piece.expected() : expected.get(i));
            }
            if (later.isEmpty()) {
                piece.end(world, false);
            }
        }
    }

    /**
     * A transfer that nothing has waited for.
     *
     * @param batch what is moved
     * @param transfer its handle
     * @param expected what each destination must hold afterwards
     * @param count what the handle must return
     */
    record Flight(Batched batch, Transfer transfer, List<MemorySegment> expected, long count) {
        /** Longer than the time limit of a test, which shows the stacks of a hang. */
        private static final Duration HOUR = Duration.ofHours(1);

        /** Waits, in one of four ways, and compares. */
        void end(World world, int how) {
            switch (how % 4) {
                case 1 -> world.isTrue("a transfer is over", "%s", transfer.await(HOUR));
                case 2 -> world.same("future of a transfer", "%s.join()", count, join());
                case 3 -> transfer.state();
                default -> {}
            }
            world.same("count of a transfer", "%s", count, transfer.await());
            world.isTrue("a transfer is done", "%s == Transfer.State.DONE", transfer.state() == Transfer.State.DONE);
            if (!batch.isWrite()) {
                batch.finishRead(world, expected);
            } else {
                batch.pieces().stream()
                        .filter(piece -> piece.memory().host() != null)
                        .forEach(piece -> piece.end(world, true));
            }
        }

        private long join() {
            try {
                return transfer.toCompletableFuture().get(HOUR.toHours(), TimeUnit.HOURS);
            } catch (InterruptedException | ExecutionException | TimeoutException e) {
                throw new AssertionFailedError("future of a transfer: expected its count, got " + e, e);
            }
        }
    }
}
