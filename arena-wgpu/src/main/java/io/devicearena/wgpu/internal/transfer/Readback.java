package io.devicearena.wgpu.internal.transfer;

import io.devicearena.DType;
import io.devicearena.spi.memory.HostAllocation;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/**
 * Reads any range of bytes of an arena, its shadow or a buffer into the caller's memory.
 *
 * <p>A read returns everything that was written and submitted before. A large read goes through several pieces of
 * staging: the device fills one while the host empties another.
 *
 * <p>Threads: safe for any thread.
 */
public final class Readback {
    /** The size of a piece: large enough that the fixed cost of a piece does not matter. */
    static final long PIECE_BYTES = 16L << 20;

    private final TransferPools pools;

    /** Makes the reader of the buffers of a device. */
    public Readback(TransferPools pools) {
        this.pools = pools;
    }

    /** Reads floats, cast from a type, or raw bytes, which are U8. */
    public void read(SegmentedBuffer from, long offset, DType dtype, MemorySegment destination, long elements) {
        TransferContext transfer = pools.acquire();
        transfer.host.set(destination, dtype);
        read(transfer, from, offset, elements);
    }

    /** Reads floats, cast from a type. */
    public void read(SegmentedBuffer from, long offset, DType dtype, float[] destination, int elements) {
        TransferContext transfer = pools.acquire();
        transfer.host.set(destination, dtype);
        read(transfer, from, offset, elements);
    }

    /** Reads to the memory that a transfer is set to, and releases the transfer. */
    private void read(TransferContext transfer, SegmentedBuffer from, long offset, long elements) {
        int unit = transfer.host.deviceBytes();
        long most = PIECE_BYTES / unit;
        ArrayDeque<StagingBuffer> pieces = transfer.pieces;
        try {
            long begun = 0;
            for (long landed = 0; landed < elements; landed += most) {
                for (; begun < elements && pieces.size() < TransferContext.PIECES; begun += most) {
                    long bytes = Math.min(most, elements - begun) * unit;
                    pieces.add(copyOut(transfer, from, offset + begun * unit, bytes));
                }
                StagingBuffer piece = pieces.getFirst();
                piece.awaitMapped();
                long inWord = offset + landed * unit & Words.REST;
                ParallelCopier.SHARED.copyFrom(
                        transfer.host, piece.address() + inWord, landed, Math.min(most, elements - landed));
                pools.readbacks.release(pieces.remove());
            }
        } finally {
            while (!pieces.isEmpty()) {
                pieces.remove().close(); // after a failure
            }
            pools.release(transfer);
        }
    }

    /** Copies the words that hold a range to staging, and requests its mapping. */
    private StagingBuffer copyOut(TransferContext transfer, SegmentedBuffer from, long begin, long bytes) {
        long first = Words.down(begin);
        long words = Words.up(begin + bytes) - first;
        StagingBuffer staging = pools.readbacks.acquire(words);
        try {
            try (Commands recording = transfer.commands.begin()) {
                from.copyTo(recording, first, staging.buffer(), 0, words);
                recording.submit();
            }
            staging.beginMap(words);
        } catch (RuntimeException | Error e) {
            staging.close();
            throw e;
        }
        return staging;
    }

    /** Copies a range to staging and waits for it. The bytes are confined to this thread. */
    @SuppressWarnings("restricted") // the staging is mapped until the bytes are freed
    public HostAllocation map(SegmentedBuffer from, long offset, long bytes) {
        StagingBuffer staging;
        TransferContext transfer = pools.acquire();
        try {
            staging = copyOut(transfer, from, offset, bytes);
        } finally {
            pools.release(transfer);
        }
        try {
            staging.awaitMapped();
        } catch (RuntimeException | Error e) {
            staging.close();
            throw e;
        }
        Arena scope = Arena.ofConfined();
        MemorySegment mapped = MemorySegment.ofAddress(staging.address() + (offset & Words.REST))
                .reinterpret(bytes, scope, null);
        return new Mapped(pools, staging, scope, mapped);
    }

    /** Bytes of the arena in staging. Threads: confined to the thread that opened it. */
    private record Mapped(TransferPools pools, StagingBuffer staging, Arena scope, MemorySegment segment)
            implements HostAllocation {
        @Override
        public void free() {
            scope.close();
            pools.readbacks.release(staging);
        }
    }
}
