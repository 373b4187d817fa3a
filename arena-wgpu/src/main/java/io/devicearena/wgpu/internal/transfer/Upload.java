package io.devicearena.wgpu.internal.transfer;

import io.devicearena.DType;
import io.devicearena.wgpu.internal.builtin.KernelParameters;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import io.devicearena.wgpu.internal.raw.AddressSpace;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Writes the caller's memory to any range of bytes of the buffers of an arena.
 *
 * <p>Small data waits in staging for the next submission. Large data goes through staging of its own, piece by piece.
 * When a write returns, the caller may reuse its memory, and all later submissions see the data.
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
        /** Writes the mirror; an odd last element is followed by the cast of the value's next element. */
        CONTINUED
    }

    /** The size of a chunk of staging for large data, its mirror included. */
    static final long CHUNK_BYTES = 8L << 20;

    /** The most chunks of staging for large data. */
    static final int MAX_CHUNKS = 8;

    private static final long WORD = Integer.BYTES;

    private final TransferPools pools;
    private final GpuDevice device;
    private final ArenaBuffers buffers;

    /** Makes the writer of the buffers of an arena. */
    public Upload(TransferPools pools, ArenaBuffers buffers) {
        this.pools = pools;
        this.device = pools.device();
        this.buffers = buffers;
    }

    /** Writes raw bytes. */
    public void writeBytes(SegmentedBuffer to, long offset, MemorySegment source) {
        TransferContext transfer = pools.acquire();
        try {
            transfer.host.setBytes(source);
            write(transfer, to, offset, source.byteSize(), Mirror.NONE);
        } finally {
            pools.release(transfer);
        }
    }

    /** Writes floats, cast to a type. A mirror is possible for f32 in the arena. */
    public void writeFloats(
            SegmentedBuffer to, long offset, DType dtype, MemorySegment source, long elements, Mirror mirror) {
        TransferContext transfer = pools.acquire();
        try {
            transfer.host.setFloats(source, dtype);
            write(transfer, to, offset, elements, mirror);
        } finally {
            pools.release(transfer);
        }
    }

    /** Writes floats, cast to a type. A mirror is possible for f32 in the arena. */
    public void writeFloats(SegmentedBuffer to, long offset, DType dtype, float[] source, int elements, Mirror mirror) {
        TransferContext transfer = pools.acquire();
        try {
            transfer.host.setFloats(source, dtype);
            write(transfer, to, offset, elements, mirror);
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

    private void write(TransferContext transfer, SegmentedBuffer to, long offset, long elements, Mirror mirror) {
        if (mirror != Mirror.NONE) {
            transfer.hostF16.setF16Of(transfer.host);
        }
        // the device casts an odd end, since the host does not have the next element
        boolean castByDevice = mirror == Mirror.CONTINUED && (elements & 1) == 1;
        if (elements <= TransferContext.SMALL_BYTES / transfer.host.deviceBytes()) {
            writeSmall(transfer, to, offset, elements, mirror, castByDevice);
        } else {
            writeLarge(transfer, to, offset, elements, mirror, castByDevice || pools.castsOnDevice());
        }
    }

    private void writeSmall(
            TransferContext transfer,
            SegmentedBuffer to,
            long offset,
            long elements,
            Mirror mirror,
            boolean castByDevice) {
        transfer.host.copyTo(transfer.data + (offset & 3), 0, elements);
        long bytes = elements * transfer.host.deviceBytes();
        long whole = wholeWords(offset, bytes);
        if (whole > 0) {
            to.write(device, roundUp(offset), transfer.data + (roundUp(offset) - roundDown(offset)), whole);
        }
        if (mirror != Mirror.NONE && !castByDevice) {
            transfer.hostF16.copyTo(transfer.mirror, 0, elements);
            buffers.shadow().write(device, offset / 2, transfer.mirror, padMirror(transfer.mirror, elements));
        }
        if (whole == bytes && !castByDevice) {
            return;
        }
        long cast = castByDevice ? 0 : elements;
        try (Commands recording = begin(transfer, true)) {
            buffers.recordEdges(recording, to, offset, bytes, transfer.data, transfer.parameters);
            if (castByDevice) {
                cast = buffers.recordCast(recording, offset, elements, false, transfer.parameters);
            }
            submit(transfer, recording);
        }
        castRest(transfer, offset, elements, false, cast);
    }

    private void writeLarge(
            TransferContext transfer,
            SegmentedBuffer to,
            long offset,
            long elements,
            Mirror mirror,
            boolean castByDevice) {
        int unit = transfer.host.deviceBytes();
        boolean castByHost = mirror != Mirror.NONE && !castByDevice;
        // whole words, so that all pieces have the same offset in a word; whole pairs, so that only the last mirror
        // ends odd
        long most = (CHUNK_BYTES - 2 * WORD) / (unit + (castByHost ? Short.BYTES : 0)) & -4;
        for (long done = 0; done < elements; done += most) {
            long count = Math.min(most, elements - done);
            boolean cast = mirror != Mirror.NONE && castByDevice;
            StagingBuffer chunk = pools.uploads().acquire();
            try {
                writePiece(transfer, to, offset, done, count, chunk, castByHost, cast ? mirror : Mirror.NONE);
            } catch (RuntimeException | Error e) {
                pools.uploads().discard(chunk);
                throw e;
            }
            pools.uploads().release(chunk);
        }
    }

    private void writePiece(
            TransferContext transfer,
            SegmentedBuffer to,
            long offset,
            long done,
            long count,
            StagingBuffer chunk,
            boolean castByHost,
            Mirror castByDevice) {
        int unit = transfer.host.deviceBytes();
        long begin = offset + done * unit;
        long bytes = count * unit;
        long address = chunk.address();
        ParallelCopier.SHARED.copyTo(transfer.host, address + (begin & 3), done, count);
        long mirrorAt = roundUp(bytes + WORD);
        long mirrorBytes = 0;
        if (castByHost) {
            ParallelCopier.SHARED.copyTo(transfer.hostF16, address + mirrorAt, done, count);
            mirrorBytes = padMirror(address + mirrorAt, count);
        }
        long whole = wholeWords(begin, bytes);
        boolean padded = castByDevice == Mirror.PADDED;
        long cast = castByDevice == Mirror.NONE ? count : 0;
        try (Commands recording = begin(transfer, castByDevice != Mirror.NONE || whole < bytes)) {
            buffers.recordEdges(recording, to, begin, bytes, address, transfer.parameters);
            chunk.unmap();
            if (whole > 0) {
                to.copyFrom(recording, chunk.buffer(), roundUp(begin) - roundDown(begin), roundUp(begin), whole);
            }
            if (castByHost) {
                buffers.shadow().copyFrom(recording, chunk.buffer(), mirrorAt, begin / 2, mirrorBytes);
            }
            if (castByDevice != Mirror.NONE) {
                cast = buffers.recordCast(recording, begin, count, padded, transfer.parameters);
            }
            submit(transfer, recording);
        }
        castRest(transfer, begin, count, padded, cast);
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
