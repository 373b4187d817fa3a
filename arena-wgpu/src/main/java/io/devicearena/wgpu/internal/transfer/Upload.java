package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.internal.builtin.KernelParameters;

import io.devicearena.DType;
import io.devicearena.wgpu.internal.raw.AddressSpace;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Writes the caller's memory to the buffers of an arena, any range of bytes of them.
 *
 * <p>Small data waits in staging for the next submission; large data goes through staging of its own, piece by piece.
 * Either way the caller's memory is free again when a write returns, and whatever is submitted later sees it.
 *
 * <p>Threads: safe for any thread.
 */
public final class Upload {
    /** What a write of f32 does for the f16 mirror. Threads: immutable. */
    public enum Mirror {
        /** Nothing. */
        NONE,
        /** Makes it; behind an odd last element comes a zero. */
        PADDED,
        /** Makes it; behind an odd last element the value goes on, with what it has there. */
        CONTINUED
    }

    /** Staging for large data: data and mirror of a chunk together, and how many there may be. */
    static final long CHUNK_BYTES = 8L << 20;

    static final int MOST_CHUNKS = 8;

    private static final long WORD = Integer.BYTES;

    private final TransferPools pools;
    private final GpuDevice device;
    private final ArenaBuffers buffers;

    /** Makes the writer of an arena's buffers. */
    public Upload(TransferPools pools, ArenaBuffers buffers) {
        this.pools = pools;
        this.device = pools.device();
        this.buffers = buffers;
    }

    /** Writes raw bytes to one of the arena's buffers. */
    public void writeBytes(GpuBuffer to, long offset, MemorySegment source) {
        TransferContext transfer = pools.take();
        try {
            transfer.host.setBytes(source);
            write(transfer, to, offset, source.byteSize(), Mirror.NONE);
        } finally {
            pools.give(transfer);
        }
    }

    /** Writes floats to one of the arena's buffers, cast to a type. The mirror is for f32 in the arena's own buffer. */
    public void writeFloats(
            GpuBuffer to, long offset, DType dtype, MemorySegment source, long elements, Mirror mirror) {
        TransferContext transfer = pools.take();
        try {
            transfer.host.setFloats(source, dtype);
            write(transfer, to, offset, elements, mirror);
        } finally {
            pools.give(transfer);
        }
    }

    /** Writes floats to one of the arena's buffers, cast to a type. The mirror is for f32 in the arena's own buffer. */
    public void writeFloats(GpuBuffer to, long offset, DType dtype, float[] source, int elements, Mirror mirror) {
        TransferContext transfer = pools.take();
        try {
            transfer.host.setFloats(source, dtype);
            write(transfer, to, offset, elements, mirror);
        } finally {
            pools.give(transfer);
        }
    }

    /** Makes the mirror of f32 that is on the device already. */
    public void castMirror(long offset, long elements, boolean padded) {
        TransferContext transfer = pools.take();
        try {
            begin(transfer, true);
            try {
                buffers.recordCast(transfer.commands, offset, elements, padded, transfer.parameters);
                submit(transfer);
            } catch (RuntimeException e) {
                transfer.commands.discard();
                throw e;
            }
        } finally {
            pools.give(transfer);
        }
    }

    private void write(TransferContext transfer, GpuBuffer to, long offset, long elements, Mirror mirror) {
        if (mirror != Mirror.NONE) {
            transfer.hostF16.setF16Of(transfer.host);
        }
        // an odd end that the host does not know is cast by the device
        boolean castByDevice = mirror == Mirror.CONTINUED && (elements & 1) == 1;
        if (elements <= TransferContext.SMALL_BYTES / transfer.host.deviceBytes()) {
            writeSmall(transfer, to, offset, elements, mirror, castByDevice);
        } else {
            writeLarge(transfer, to, offset, elements, mirror, castByDevice || pools.castsOnDevice());
        }
    }

    private void writeSmall(
            TransferContext transfer, GpuBuffer to, long offset, long elements, Mirror mirror, boolean castByDevice) {
        transfer.host.copyTo(transfer.data + (offset & 3), 0, elements);
        long bytes = elements * transfer.host.deviceBytes();
        long whole = wholeWords(offset, bytes);
        if (whole > 0) {
            device.write(to, roundUp(offset), transfer.data + (roundUp(offset) - roundDown(offset)), whole);
        }
        if (mirror != Mirror.NONE && !castByDevice) {
            transfer.hostF16.copyTo(transfer.mirror, 0, elements);
            device.write(buffers.shadow(), offset / 2, transfer.mirror, padMirror(transfer.mirror, elements));
        }
        if (whole == bytes && !castByDevice) {
            return;
        }
        begin(transfer, true);
        try {
            recordEdges(transfer, to, offset, bytes, transfer.data);
            if (castByDevice) {
                buffers.recordCast(transfer.commands, offset, elements, false, transfer.parameters);
            }
            submit(transfer);
        } catch (RuntimeException e) {
            transfer.commands.discard();
            throw e;
        }
    }

    private void writeLarge(
            TransferContext transfer, GpuBuffer to, long offset, long elements, Mirror mirror, boolean castByDevice) {
        int unit = transfer.host.deviceBytes();
        boolean castByHost = mirror != Mirror.NONE && !castByDevice;
        // whole words, so that all pieces lie in their words alike; whole pairs, so that only the last mirror ends odd
        long most = (CHUNK_BYTES - 2 * WORD) / (unit + (castByHost ? Short.BYTES : 0)) & -4;
        for (long done = 0; done < elements; done += most) {
            long count = Math.min(most, elements - done);
            boolean cast = mirror != Mirror.NONE && castByDevice;
            StagingBuffer chunk = pools.uploads().take();
            try {
                writePiece(transfer, to, offset, done, count, chunk, castByHost, cast);
                if (cast) {
                    buffers.recordCast(
                            transfer.commands,
                            offset + done * unit,
                            count,
                            mirror == Mirror.PADDED,
                            transfer.parameters);
                }
                submit(transfer);
            } catch (RuntimeException | Error e) {
                transfer.commands.discard();
                pools.uploads().discard(chunk);
                throw e;
            }
            pools.uploads().give(chunk);
        }
    }

    private void writePiece(
            TransferContext transfer,
            GpuBuffer to,
            long offset,
            long done,
            long count,
            StagingBuffer chunk,
            boolean castByHost,
            boolean castFollows) {
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
        begin(transfer, castFollows || whole < bytes);
        recordEdges(transfer, to, begin, bytes, address);
        chunk.unmap();
        if (whole > 0) {
            transfer.commands.copy(chunk.buffer(), roundUp(begin) - roundDown(begin), to, roundUp(begin), whole);
        }
        if (castByHost) {
            transfer.commands.copy(chunk.buffer(), mirrorAt, buffers.shadow(), begin / 2, mirrorBytes);
        }
    }

    /** Records the writes of the words of which only some bytes are meant: the first and the last. */
    private void recordEdges(TransferContext transfer, GpuBuffer to, long offset, long bytes, long address) {
        long end = offset + bytes;
        long firstWord = roundDown(offset);
        long lastWord = roundDown(end);
        if (firstWord != offset) {
            int before = (int) (offset - firstWord);
            int after = (int) Math.min(end - firstWord, WORD);
            recordMerge(transfer, to, firstWord, below(after) & ~below(before), address);
        }
        if (lastWord != end && (lastWord != firstWord || firstWord == offset)) {
            recordMerge(transfer, to, lastWord, below((int) (end - lastWord)), address + (lastWord - firstWord));
        }
    }

    private void recordMerge(TransferContext transfer, GpuBuffer to, long word, int mask, long address) {
        Commands commands = transfer.commands;
        int bits = AddressSpace.ALL.get(ValueLayout.JAVA_INT_UNALIGNED, address);
        buffers.recordMerge(commands, to, word, mask, bits, transfer.parameters);
    }

    /** The lowest bytes of a word, as a mask. */
    private static int below(int bytes) {
        return bytes == WORD ? -1 : (1 << (8 * bytes)) - 1;
    }

    private void begin(TransferContext transfer, boolean withKernels) {
        transfer.parameters.clear();
        if (withKernels) {
            transfer.commands.begin(pools.parameters(), KernelParameters.BUFFER_BYTES);
        } else {
            transfer.commands.begin();
        }
    }

    private void submit(TransferContext transfer) {
        KernelParameters notes = transfer.parameters;
        if (notes.isEmpty()) {
            transfer.commands.submit();
        } else {
            transfer.commands.submit(notes.address(), notes.bytes());
        }
    }

    /** Puts a zero behind an odd number of halves; returns the bytes of all. */
    private static long padMirror(long address, long elements) {
        if ((elements & 1) == 1) {
            AddressSpace.ALL.set(ValueLayout.JAVA_SHORT_UNALIGNED, address + elements * Short.BYTES, (short) 0);
        }
        return (elements + 1) / 2 * WORD;
    }

    /** How many bytes of a range are in words that it covers as a whole. */
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
