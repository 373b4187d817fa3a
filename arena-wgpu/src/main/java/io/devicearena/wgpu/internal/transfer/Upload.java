package io.devicearena.wgpu.internal.transfer;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.spi.memory.Span;
import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.builtin.KernelParameters;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import io.devicearena.wgpu.internal.gpu.StagingRing;
import io.devicearena.wgpu.internal.raw.AddressSpace;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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
        CONTINUED
    }

    /** The size of a chunk of staging for large data, its mirror included. */
    static final long CHUNK_BYTES = 8L << 20;

    /** The most chunks of staging of a kind: few, so that much of them stays in the caches of the host. */
    static final int MAX_CHUNKS = 4;

    /** The most bytes of a copy within the arena that one submission makes. */
    private static final long COPY_BYTES = 32L << 20;

    private static final long WORD = Integer.BYTES;

    private final TransferPools pools;
    private final GpuDevice device;
    private final ArenaBuffers buffers;
    private final Mirrors mirrors;

    /** Makes the writer of the buffers of an arena. */
    public Upload(TransferPools pools, ArenaBuffers buffers, Mirrors mirrors) {
        this.pools = pools;
        this.device = pools.device();
        this.buffers = buffers;
        this.mirrors = mirrors;
    }

    /**
     * Makes writes, in order.
     *
     * @param wait whether to wait until the device has read a source that it reads itself
     */
    public void write(List<Span> spans, boolean wait) {
        for (int i = 0; i < spans.size(); i++) { // no iterator: a batch allocates nothing
            Span span = spans.get(i);
            if (span.floats()) {
                writeValue(span.slot(), span.dtype(), span.memory(), span.elements(), wait);
            } else {
                mirrors.markStale(span.offset(), span.bytes());
                writeBytes(buffers.arena(), span.offset(), span.bytesOfMemory(), wait);
            }
        }
    }

    /**
     * Writes floats to a value, with its mirror.
     *
     * @param wait whether to wait until the device has read a source that it reads itself
     */
    public void writeValue(BufferSlot slot, DType dtype, MemorySegment source, long elements, boolean wait) {
        mirrors.markStale(slot.offset(), elements * dtype.bytes());
        Mirror mirror = mirrors.of(slot, dtype, elements);
        writeFloats(buffers.arena(), slot.offset(), dtype, source, elements, mirror, wait);
        endWrite(slot, elements, mirror);
    }

    /** Writes floats to a value, with its mirror. */
    public void writeValue(BufferSlot slot, DType dtype, float[] source, int elements) {
        mirrors.markStale(slot.offset(), (long) elements * dtype.bytes());
        Mirror mirror = mirrors.of(slot, dtype, elements);
        TransferContext transfer = pools.acquire();
        try {
            transfer.host.setFloats(source, dtype);
            write(transfer, buffers.arena(), slot.offset(), elements, mirror);
        } finally {
            pools.release(transfer);
        }
        endWrite(slot, elements, mirror);
    }

    private void endWrite(BufferSlot slot, long elements, Mirror mirror) {
        if (mirror != Mirror.NONE) {
            mirrors.markFresh(slot.offset(), elements * Float.BYTES);
        }
    }

    /** Writes raw bytes. */
    public void writeBytes(SegmentedBuffer to, long offset, MemorySegment source) {
        writeBytes(to, offset, source, true);
    }

    private void writeBytes(SegmentedBuffer to, long offset, MemorySegment source, boolean wait) {
        TransferContext transfer = pools.acquire();
        try {
            transfer.host.setBytes(source);
            UploadMemory own = pools.hostMemory().find(source);
            if (own == null || !copyOwn(transfer, own, source, to, offset, source.byteSize(), Mirror.NONE, wait)) {
                write(transfer, to, offset, source.byteSize(), Mirror.NONE);
            }
        } finally {
            pools.release(transfer);
        }
    }

    /** Writes floats, cast to a type. */
    public void writeFloats(SegmentedBuffer to, long offset, DType dtype, MemorySegment source, long elements) {
        writeFloats(to, offset, dtype, source, elements, Mirror.NONE, true);
    }

    private void writeFloats(
            SegmentedBuffer to,
            long offset,
            DType dtype,
            MemorySegment source,
            long elements,
            Mirror mirror,
            boolean wait) {
        TransferContext transfer = pools.acquire();
        try {
            transfer.host.setFloats(source, dtype);
            UploadMemory own = dtype == DType.F32 ? pools.hostMemory().find(source) : null;
            if (own == null || !copyOwn(transfer, own, source, to, offset, elements, mirror, wait)) {
                write(transfer, to, offset, elements, mirror);
            }
        } finally {
            pools.release(transfer);
        }
    }

    /** Makes the mirror of f32 data that is on the device already. */
    public void castMirror(long offset, long elements, boolean padded) {
        TransferContext transfer = pools.acquire();
        try {
            castRest(transfer, offset, elements, padded, 0);
        } finally {
            pools.release(transfer);
        }
    }

    /** Casts what the submissions before have left; each has room for a few windows. */
    private void castRest(TransferContext transfer, long offset, long elements, boolean padded, long done) {
        for (long cast = done; cast < elements; ) {
            try (Commands recording = begin(transfer, true)) {
                long begin = offset + cast * Float.BYTES;
                cast += buffers.recordCast(recording, begin, elements - cast, padded, transfer.parameters);
                submit(transfer, recording);
            }
        }
    }

    /**
     * Lets the device copy from host memory of its own, in one submission. Small data, data at another offset in a
     * word, and mirrors that the host casts go the usual way.
     *
     * @return whether it did
     */
    private boolean copyOwn(
            TransferContext transfer,
            UploadMemory own,
            MemorySegment source,
            SegmentedBuffer to,
            long offset,
            long elements,
            Mirror mirror,
            boolean wait) {
        long bytes = elements * transfer.host.deviceBytes();
        if (bytes <= TransferContext.SMALL_BYTES
                || ((own.position(source.address()) ^ offset) & (WORD - 1)) != 0
                || castsOnHost(mirror, elements)
                || !own.tryAcquire()) {
            device.checkAlive(); // a lost device destroys the buffer that the host would read
            return false;
        }
        boolean unmapped = false;
        try {
            StagingBuffer staging = own.staging();
            long position = own.position(source.address());
            long whole = wholeWords(offset, bytes);
            boolean padded = mirror == Mirror.PADDED;
            long cast = mirror == Mirror.NONE ? elements : 0;
            try (Commands recording = begin(transfer, mirror != Mirror.NONE || whole < bytes)) {
                recording.requireAlive();
                long words = staging.address() + roundDown(position);
                buffers.recordEdges(recording, to, offset, bytes, words, transfer.parameters);
                staging.unmap();
                unmapped = true;
                long lead = roundUp(offset) - offset;
                to.copyFrom(recording, staging.buffer(), position + lead, roundUp(offset), whole);
                if (mirror != Mirror.NONE) {
                    cast = buffers.recordCast(recording, offset, elements, padded, transfer.parameters);
                }
                submit(transfer, recording);
            }
            castRest(transfer, offset, elements, padded, cast);
        } finally {
            own.release(unmapped, wait);
        }
        return true;
    }

    /** Copies whole words within a buffer; a copy of the device cannot have one buffer on both sides. */
    public void copyWords(SegmentedBuffer within, long from, long to, long bytes) {
        long most = Math.min(bytes, COPY_BYTES);
        long usage = WgpuNative.WGPUBufferUsage_CopySrc() | WgpuNative.WGPUBufferUsage_CopyDst();
        TransferContext transfer = pools.acquire();
        try (GpuBuffer between = device.createBuffer("device arena copy", most, usage)) {
            for (long done = 0; done < bytes; done += most) {
                long count = Math.min(most, bytes - done);
                long at = to > from ? bytes - done - count : done; // from the end: the target may begin in the source
                try (Commands recording = begin(transfer, false)) {
                    within.copyTo(recording, from + at, between, 0, count);
                    within.copyFrom(recording, between, 0, to + at, count);
                    submit(transfer, recording);
                }
            }
        } finally {
            pools.release(transfer);
        }
    }

    private void write(TransferContext transfer, SegmentedBuffer to, long offset, long elements, Mirror mirror) {
        if (mirror != Mirror.NONE) {
            transfer.hostF16.setF16Of(transfer.host);
        }
        if (elements <= TransferContext.SMALL_BYTES / transfer.host.deviceBytes()) {
            writeSmall(transfer, to, offset, elements, mirror);
        } else {
            boolean castByHost = castsOnHost(mirror, elements);
            writeLarge(transfer, to, offset, elements, castByHost);
            if (mirror != Mirror.NONE && !castByHost) {
                // once, behind the last piece: a cast in the submission of each piece takes longer
                castRest(transfer, offset, elements, mirror == Mirror.PADDED, 0);
            }
        }
    }

    /** Whether another element follows an odd last one, in the same word of the mirror; the host does not have it. */
    private static boolean endsOdd(Mirror mirror, long elements) {
        return mirror == Mirror.CONTINUED && (elements & 1) == 1;
    }

    /** Whether the host casts the mirror of large data. */
    private boolean castsOnHost(Mirror mirror, long elements) {
        return mirror != Mirror.NONE && !endsOdd(mirror, elements) && !pools.castsOnDevice();
    }

    private void writeSmall(TransferContext transfer, SegmentedBuffer to, long offset, long elements, Mirror mirror) {
        transfer.host.copyTo(transfer.data + (offset & 3), 0, elements);
        writeSmall(to, offset, elements * transfer.host.deviceBytes(), transfer.data);
        if (mirror != Mirror.NONE) {
            transfer.hostF16.copyTo(transfer.mirror, 0, elements);
            long bytes = endsOdd(mirror, elements) ? elements * Short.BYTES : padMirror(transfer.mirror, elements);
            writeSmall(buffers.shadow(), offset / 2, bytes, transfer.mirror);
        }
    }

    /** Writes memory that begins with the word in which the range begins. */
    private void writeSmall(SegmentedBuffer to, long offset, long bytes, long address) {
        long whole = wholeWords(offset, bytes);
        if (whole > 0) {
            to.write(device, roundUp(offset), address + (roundUp(offset) - roundDown(offset)), whole);
        }
        if (whole < bytes) {
            buffers.writeEdges(to, offset, bytes, address);
        }
    }

    /** Writes large data without its mirror, unless the host casts that. */
    private void writeLarge(
            TransferContext transfer, SegmentedBuffer to, long offset, long elements, boolean castByHost) {
        int unit = transfer.host.deviceBytes();
        // whole words, so that all pieces have the same offset in a word; whole pairs, so that only the last mirror
        // ends odd
        long most = (CHUNK_BYTES - 2 * WORD) / (unit + (castByHost ? Short.BYTES : 0)) & -4;
        StagingRing ring = pools.uploads(elements > most);
        StagingBuffer chunk = ring.acquire();
        // short, since nothing overlaps the copying of the first piece
        long count = elements > most ? most / 2 & -4 : elements;
        fill(transfer, offset, 0, count, ring, chunk);
        for (long done = 0; done < elements; ) {
            long next = done + count;
            long nextCount = piece(elements - next, most);
            // helpers copy the next piece while this thread submits this one
            StagingBuffer ahead = next < elements && !castByHost ? ring.tryAcquire() : null;
            boolean copying = ahead != null && beginFill(transfer, offset, next, nextCount, ahead);
            boolean submitted = false;
            try {
                submitPiece(transfer, to, offset, done, count, chunk, castByHost);
                submitted = true;
                ring.release(chunk);
            } catch (RuntimeException | Error e) {
                if (copying) {
                    ParallelCopier.SHARED.cancel();
                }
                if (ahead != null) {
                    ring.discard(ahead);
                }
                if (!submitted) {
                    ring.discard(chunk);
                }
                throw e;
            }
            if (next < elements) {
                chunk = ahead == null ? ring.acquire() : ahead;
                if (copying) {
                    finishFill(ring, chunk);
                } else {
                    fill(transfer, offset, next, nextCount, ring, chunk);
                }
            }
            done = next;
            count = nextCount;
        }
    }

    /** The elements of a further piece. The last one is short, since nothing overlaps its way to the device. */
    private static long piece(long rest, long most) {
        return rest > most / 2 && rest <= most ? rest / 2 + 3 & -4 : Math.min(rest, most);
    }

    private static boolean beginFill(
            TransferContext transfer, long offset, long done, long count, StagingBuffer chunk) {
        return ParallelCopier.SHARED.beginTo(transfer.host, addressOfData(transfer, offset, done, chunk), done, count);
    }

    private static void finishFill(StagingRing ring, StagingBuffer chunk) {
        try {
            ParallelCopier.SHARED.finish();
        } catch (RuntimeException | Error e) {
            ring.discard(chunk);
            throw e;
        }
    }

    private static void fill(
            TransferContext transfer, long offset, long done, long count, StagingRing ring, StagingBuffer chunk) {
        try {
            ParallelCopier.SHARED.copyTo(transfer.host, addressOfData(transfer, offset, done, chunk), done, count);
        } catch (RuntimeException | Error e) {
            ring.discard(chunk);
            throw e;
        }
    }

    /** Where the data of a piece are in its chunk: at the same place in a word as in the arena. */
    private static long addressOfData(TransferContext transfer, long offset, long done, StagingBuffer chunk) {
        return chunk.address() + (offset + done * transfer.host.deviceBytes() & (WORD - 1));
    }

    private void submitPiece(
            TransferContext transfer,
            SegmentedBuffer to,
            long offset,
            long done,
            long count,
            StagingBuffer chunk,
            boolean castByHost) {
        int unit = transfer.host.deviceBytes();
        long begin = offset + done * unit;
        long bytes = count * unit;
        long address = chunk.address();
        long mirrorAt = roundUp(bytes + WORD);
        long mirrorBytes = 0;
        if (castByHost) {
            ParallelCopier.SHARED.copyTo(transfer.hostF16, address + mirrorAt, done, count);
            mirrorBytes = padMirror(address + mirrorAt, count);
        }
        long whole = wholeWords(begin, bytes);
        try (Commands recording = begin(transfer, whole < bytes)) {
            buffers.recordEdges(recording, to, begin, bytes, address, transfer.parameters);
            chunk.unmap();
            if (whole > 0) {
                to.copyFrom(recording, chunk.buffer(), roundUp(begin) - roundDown(begin), roundUp(begin), whole);
            }
            if (castByHost) {
                buffers.shadow().copyFrom(recording, chunk.buffer(), mirrorAt, begin / 2, mirrorBytes);
            }
            submit(transfer, recording);
        }
    }

    private Commands begin(TransferContext transfer, boolean withKernels) {
        transfer.parameters.clear();
        return withKernels
                ? transfer.commands.begin(pools.parameters(), KernelParameters.BUFFER_BYTES)
                : transfer.commands.begin();
    }

    private static void submit(TransferContext transfer, Commands recording) {
        KernelParameters parameters = transfer.parameters;
        if (parameters.isEmpty()) {
            recording.submit();
        } else {
            recording.submit(parameters.address(), parameters.bytes());
        }
    }

    /** Appends a zero to an odd number of f16 values; returns the bytes of all. */
    private static long padMirror(long address, long elements) {
        if ((elements & 1) == 1) {
            AddressSpace.ALL.set(ValueLayout.JAVA_SHORT_UNALIGNED, address + elements * Short.BYTES, (short) 0);
        }
        return (elements + 1) / 2 * WORD;
    }

    /** The bytes of a range that are in words which it covers completely. */
    private static long wholeWords(long offset, long bytes) {
        return Math.max(roundDown(offset + bytes) - roundUp(offset), 0);
    }

    private static long roundUp(long bytes) {
        return bytes + (WORD - 1) & -WORD;
    }

    private static long roundDown(long bytes) {
        return bytes & -WORD;
    }
}
