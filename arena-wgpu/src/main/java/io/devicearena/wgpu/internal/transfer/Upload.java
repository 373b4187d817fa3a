package io.devicearena.wgpu.internal.transfer;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.spi.memory.F16Mirrors;
import io.devicearena.spi.memory.Span;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import io.devicearena.wgpu.internal.gpu.StagingRing;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Writes the caller's memory to any range of bytes of the buffers of an arena.
 *
 * <p>Small data waits in host memory for the next submission. Large data goes through staging of its own, piece by
 * piece. When a write returns, the caller may reuse its memory, and all later submissions see the data.
 *
 * <p>Threads: safe for any thread.
 */
public final class Upload {
    /** How a write of f32 treats the f16 mirror. Threads: immutable. */
    public enum Mirror {
        /** Writes no mirror. */
        NONE,
        /** Writes the mirror; a zero follows an odd last element. */
        PADDED,
        /** Writes the mirror; what follows an odd last element stays the mirror of the value's next element. */
        CONTINUED;

        static Mirror of(F16Mirrors mirrors, BufferSlot slot, DType dtype, long elements) {
            if (!mirrors.isMirrored(slot, dtype)) {
                return NONE;
            }
            return F16Mirrors.isPadded(slot, elements) ? PADDED : CONTINUED;
        }

        static Mirror of(F16Mirrors mirrors, Span span) {
            return of(mirrors, span.slot(), HostView.type(span), span.elements());
        }
    }

    /** The size of a chunk of staging for large data, its mirror included. */
    static final long CHUNK_BYTES = 8L << 20;

    /** The most chunks of staging of a kind: few, so that much of them stays in the caches of the host. */
    static final int MAX_CHUNKS = 4;

    private final TransferPools pools;
    private final GpuDevice device;
    private final ArenaBuffers buffers;
    private final F16Mirrors mirrors;

    /** Makes the writer of the buffers of an arena. */
    public Upload(ArenaBuffers buffers) {
        this.pools = buffers.pools;
        this.device = pools.device();
        this.buffers = buffers;
        this.mirrors = buffers.mirrors();
    }

    /**
     * Makes writes, in order.
     *
     * @param wait whether to wait until the device has read a source that it reads itself
     */
    public void write(List<Span> spans, boolean wait) {
        for (int i = 0; i < spans.size(); i++) { // no iterator: a batch allocates nothing
            Span span = spans.get(i);
            DType dtype = HostView.type(span);
            writeValue(span.slot(), dtype, span.memory(), span.bytes() / dtype.bytes(), wait);
        }
    }

    /**
     * Writes floats to a value, with its mirror, or raw bytes, which are U8.
     *
     * @param wait whether to wait until the device has read a source that it reads itself
     */
    public void writeValue(BufferSlot slot, DType dtype, MemorySegment source, long elements, boolean wait) {
        TransferContext transfer = pools.acquire();
        transfer.host.set(source, dtype);
        writeValue(transfer, slot, dtype, elements, wait);
    }

    /** Writes floats to a value, with its mirror. */
    public void writeValue(BufferSlot slot, DType dtype, float[] source, int elements) {
        TransferContext transfer = pools.acquire();
        transfer.host.set(source, dtype);
        writeValue(transfer, slot, dtype, elements, true);
    }

    private void writeValue(TransferContext transfer, BufferSlot slot, DType dtype, long elements, boolean wait) {
        mirrors.markStale(slot.offset(), elements * dtype.bytes());
        Mirror mirror = Mirror.of(mirrors, slot, dtype, elements);
        write(transfer, buffers.arena(), slot.offset(), elements, mirror, wait);
        if (mirror != Mirror.NONE) {
            mirrors.markFresh(slot.offset(), elements * Float.BYTES);
        }
    }

    /** Writes floats, cast to a type, or raw bytes, which are U8. */
    public void write(SegmentedBuffer to, long offset, DType dtype, MemorySegment source, long elements) {
        TransferContext transfer = pools.acquire();
        transfer.host.set(source, dtype);
        write(transfer, to, offset, elements, Mirror.NONE, true);
    }

    /** Makes the mirror of f32 data that is on the device already. */
    public void castMirror(long offset, long elements, boolean padded) {
        TransferContext transfer = pools.acquire();
        try (Commands recording = transfer.commands.begin()) {
            buffers.recordCast(recording, offset, elements, padded);
            recording.submit();
        } finally {
            pools.release(transfer);
        }
    }

    /** Writes the memory that a transfer is set to, and releases the transfer. */
    private void write(
            TransferContext transfer, SegmentedBuffer to, long offset, long elements, Mirror mirror, boolean wait) {
        try {
            long bytes = elements * transfer.host.deviceBytes();
            boolean large = bytes > TransferContext.SMALL_BYTES;
            transfer.write.set(buffers, to, offset, elements, mirror);
            UploadMemory own = pools.hostMemory().find(transfer.host.plainAddress(), bytes);
            if (own != null) {
                if (large && !transfer.write.castsOnHost() && copyOwn(transfer, own, offset, elements, wait)) {
                    return;
                }
                device.checkAlive(); // a lost device destroys the buffer that the host is about to read
            }
            if (!large) {
                transfer.write.fill(0, elements, transfer.small);
                transfer.write.write(elements, transfer.small);
                return;
            }
            writeLarge(transfer, elements);
            if (transfer.write.castsOnDevice()) {
                // once, behind the last piece: a cast in the submission of each piece takes longer
                castMirror(offset, elements, mirror == Mirror.PADDED);
            }
        } finally {
            pools.release(transfer);
        }
    }

    /**
     * Lets the device copy from host memory of its own, in one submission. Data at another offset in a word go the
     * usual way.
     *
     * @return whether it did
     */
    private boolean copyOwn(TransferContext transfer, UploadMemory own, long offset, long elements, boolean wait) {
        long address = transfer.host.plainAddress();
        if (((own.position(address) ^ offset) & Words.REST) != 0 || !own.tryAcquire()) {
            return false;
        }
        boolean unmapped = false;
        try (Commands recording = transfer.commands.begin()) {
            device.checkAlive(); // the bytes at the ends are read from mapped memory
            transfer.write.record(recording, own.staging, Words.down(own.position(address)), 0, elements);
            own.staging.unmap();
            unmapped = true;
            transfer.write.recordCast(recording, elements);
            recording.submit();
        } finally {
            own.release(unmapped, wait);
        }
        return true;
    }

    private void writeLarge(TransferContext transfer, long elements) {
        MirroredWrite write = transfer.write;
        boolean castsMirror = write.castsOnHost();
        int unit = transfer.host.deviceBytes() + (castsMirror ? Short.BYTES : 0);
        // whole words, so that all pieces have the same offset in a word; whole pairs, so that only the last mirror
        // ends odd
        long most = (CHUNK_BYTES - 2 * Integer.BYTES) / unit & -4;
        StagingRing ring = elements > most ? pools.largeUploads : pools.uploads;
        StagingBuffer chunk = null;
        StagingBuffer ahead = null;
        boolean copying = false;
        try {
            chunk = ring.acquire();
            // short, since nothing overlaps the copying of the first piece
            long count = elements > most ? most / 2 & -4 : elements;
            write.fill(0, count, chunk.address());
            for (long done = 0; ; ) {
                long next = done + count;
                long nextCount = piece(elements - next, most);
                // helpers copy the next piece while this thread submits this one
                ahead = next < elements && !castsMirror ? ring.tryAcquire() : null;
                copying = ahead != null
                        && ParallelCopier.SHARED.beginTo(
                                transfer.host, write.addressOfData(next, ahead.address()), next, nextCount);
                try (Commands recording = transfer.commands.begin()) {
                    write.record(recording, chunk, 0, done, count);
                    chunk.unmap();
                    recording.submit();
                }
                StagingBuffer submitted = chunk;
                chunk = null; // the ring discards it if it cannot keep it
                ring.release(submitted);
                if (next == elements) {
                    return;
                }
                chunk = ahead == null ? ring.acquire() : ahead;
                ahead = null;
                if (copying) {
                    copying = false; // also if it fails
                    ParallelCopier.SHARED.finish();
                } else {
                    write.fill(next, nextCount, chunk.address());
                }
                done = next;
                count = nextCount;
            }
        } catch (RuntimeException | Error e) {
            if (copying) {
                ParallelCopier.SHARED.cancel();
            }
            if (chunk != null) {
                ring.discard(chunk);
            }
            if (ahead != null) {
                ring.discard(ahead);
            }
            throw e;
        }
    }

    /** The elements of a further piece. The last one is short, since nothing overlaps its way to the device. */
    private static long piece(long rest, long most) {
        return rest > most / 2 && rest <= most ? rest / 2 + 3 & -4 : Math.min(rest, most);
    }
}
