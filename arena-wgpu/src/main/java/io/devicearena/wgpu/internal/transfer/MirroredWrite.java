package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import io.devicearena.wgpu.internal.raw.AddressSpace;
import io.devicearena.wgpu.internal.transfer.Upload.Mirror;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A write of the caller's memory to a range of bytes, with its f16 mirror: all of it, or piece by piece.
 *
 * <p>A piece is first brought to memory for it. There its data begin within a word as they do in the arena, and the
 * mirror follows in a word of its own. From there whole words are copied, and {@link ArenaBuffers} writes the bytes at
 * both ends that share a word with other data.
 *
 * <p>One object serves one write after the other, so that a write allocates nothing. Threads: one thread at a time.
 */
final class MirroredWrite {
    private final HostView host;
    private final HostView hostF16;
    private @Nullable ArenaBuffers buffers;
    private @Nullable SegmentedBuffer to;
    private long offset;
    private Mirror mirror = Mirror.NONE;
    private boolean castsOnDevice;

    MirroredWrite(HostView host, HostView hostF16) {
        this.host = host;
        this.hostF16 = hostF16;
    }

    /**
     * Sets the next write, of the memory of the host's view.
     *
     * @param count the number of its elements
     */
    void set(ArenaBuffers all, SegmentedBuffer target, long begin, long count, Mirror mirrored) {
        buffers = all;
        to = target;
        offset = begin;
        mirror = mirrored;
        boolean large = count * host.deviceBytes() > TransferContext.SMALL_BYTES;
        castsOnDevice = mirrored != Mirror.NONE && large && all.pools.castsOnDevice();
        if (castsOnHost()) {
            hostF16.setF16Of(host);
        }
    }

    /** Whether the device casts the mirror, once the floats are there. */
    boolean castsOnDevice() {
        return castsOnDevice;
    }

    /** Whether the host casts the mirror, which is then brought to the device with the floats. */
    boolean castsOnHost() {
        return mirror != Mirror.NONE && !castsOnDevice;
    }

    /** Whether everything and its mirror are whole words. */
    boolean isWhole(long count) {
        boolean odd = mirror != Mirror.NONE && (count & 1) == 1;
        return ((offset | count * host.deviceBytes()) & Words.REST) == 0 && !odd;
    }

    /** The bytes of memory for a piece. */
    long bytes(long first, long count) {
        return dataBytes(first, count) + (castsOnHost() ? (count + 1) / 2 * Integer.BYTES : 0);
    }

    private long dataBytes(long first, long count) {
        return Words.up((begin(first) & Words.REST) + count * host.deviceBytes());
    }

    private long begin(long first) {
        return offset + first * host.deviceBytes();
    }

    /** Where the data of a piece go in memory for it. */
    long addressOfData(long first, long address) {
        return address + (begin(first) & Words.REST);
    }

    /** Copies or casts a piece to memory for it. */
    void fill(long first, long count, long address) {
        ParallelCopier.SHARED.copyTo(host, addressOfData(first, address), first, count);
        if (castsOnHost()) {
            long mirrored = address + dataBytes(first, count);
            ParallelCopier.SHARED.copyTo(hostF16, mirrored, first, count);
            if ((count & 1) == 1) {
                AddressSpace.ALL.set(ValueLayout.JAVA_SHORT_UNALIGNED, mirrored + count * Short.BYTES, (short) 0);
            }
        }
    }

    /** The bytes of the mirror: with the zero behind an odd end, or with nothing that is the next element's. */
    private long mirrorBytes(long count) {
        return mirror == Mirror.PADDED ? Words.up(count * Short.BYTES) : count * Short.BYTES;
    }

    /** Writes everything from memory for it, before the next submission. */
    void write(long count, long address) {
        ArenaBuffers target = Objects.requireNonNull(buffers);
        target.write(Objects.requireNonNull(to), offset, count * host.deviceBytes(), address);
        if (castsOnHost()) {
            target.write(target.shadow(), offset / 2, mirrorBytes(count), address + dataBytes(0, count));
        }
    }

    /** Records the write of a piece from its place in staging, which is still mapped. */
    void record(Commands commands, StagingBuffer staging, long position, long first, long count) {
        ArenaBuffers target = Objects.requireNonNull(buffers);
        long begin = begin(first);
        target.record(commands, Objects.requireNonNull(to), begin, count * host.deviceBytes(), staging, position);
        if (castsOnHost()) {
            long mirrored = position + dataBytes(first, count);
            target.record(commands, target.shadow(), begin / 2, mirrorBytes(count), staging, mirrored);
        }
    }

    /** Records the cast of the whole mirror if the device makes it, behind the writes. */
    void recordCast(Commands commands, long count) {
        if (castsOnDevice) {
            Objects.requireNonNull(buffers).recordCast(commands, offset, count, mirror == Mirror.PADDED);
        }
    }
}
