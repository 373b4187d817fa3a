package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.SubmissionQueue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Buffers that hold one range of bytes together, each a segment of it. Offsets count from the start of the range. A
 * segment begins at a multiple of 8 bytes, so no word of 4 bytes lies in two of them.
 *
 * <p>Threads: safe for any thread. Lifetime: until {@link #close}.
 */
public final class SegmentedBuffer implements AutoCloseable {
    private final GpuBuffer[] segments;
    private final long[] starts;

    /**
     * Takes ownership of the buffers.
     *
     * @param segments the buffers in order, 1 or more
     * @param starts the offset of each, in ascending order from 0
     */
    public SegmentedBuffer(List<GpuBuffer> segments, long[] starts) {
        this.segments = segments.toArray(GpuBuffer[]::new);
        this.starts = starts.clone();
    }

    /** Makes a range that is one buffer. */
    public static SegmentedBuffer of(GpuBuffer buffer) {
        return new SegmentedBuffer(List.of(buffer), new long[1]);
    }

    /** The same range in pieces of at most some bytes, each in one segment; the buffers stay with this one. */
    SegmentedBuffer split(long most) {
        List<GpuBuffer> buffers = new ArrayList<>();
        LongStream.Builder begins = LongStream.builder();
        for (int i = 0; i < segments.length; i++) {
            for (long at = 0; at < segments[i].bytes(); at += most) {
                buffers.add(segments[i]);
                begins.add(starts[i] + at);
            }
        }
        return new SegmentedBuffer(buffers, begins.build().toArray());
    }

    /** The number of segments. */
    public int count() {
        return segments.length;
    }

    /** The index of the segment that holds a byte. */
    public int indexOf(long offset) {
        if (starts.length == 1) {
            return 0;
        }
        int found = Arrays.binarySearch(starts, offset);
        return found >= 0 ? found : -found - 2;
    }

    /** The buffer of a segment. */
    public GpuBuffer buffer(int segment) {
        return segments[segment];
    }

    /** Where a segment begins. */
    public long start(int segment) {
        return starts[segment];
    }

    /** Where a segment ends; the last one has no end. */
    public long end(int segment) {
        return segment + 1 < starts.length ? starts[segment + 1] : Long.MAX_VALUE;
    }

    /** Records the copies of whole words of the range to a buffer. */
    void copyTo(Commands commands, long offset, GpuBuffer to, long toOffset, long bytes) {
        int segment = indexOf(offset);
        for (long done = 0; done < bytes; segment++) {
            long begin = offset + done;
            long part = Math.min(bytes - done, end(segment) - begin);
            commands.copy(segments[segment], begin - starts[segment], to, toOffset + done, part);
            done += part;
        }
    }

    /** Records the copies of whole words of a buffer to the range. */
    void copyFrom(Commands commands, GpuBuffer from, long fromOffset, long offset, long bytes) {
        int segment = indexOf(offset);
        for (long done = 0; done < bytes; segment++) {
            long begin = offset + done;
            long part = Math.min(bytes - done, end(segment) - begin);
            commands.copy(from, fromOffset + done, segments[segment], begin - starts[segment], part);
            done += part;
        }
    }

    /**
     * Records the copy of whole words within the range, piece by piece through another buffer: a copy of the device
     * cannot have one buffer on both sides.
     */
    public void copyWithin(Commands commands, long from, long to, long bytes, GpuBuffer between) {
        long most = between.bytes();
        for (long done = 0; done < bytes; done += most) {
            long count = Math.min(most, bytes - done);
            long at = to > from ? bytes - done - count : done; // from the end: the target may begin in the source
            copyTo(commands, from + at, between, 0, count);
            copyFrom(commands, between, 0, to + at, count);
        }
    }

    /** Writes whole words of native memory to the range. */
    void write(SubmissionQueue queue, long offset, long address, long bytes) {
        int segment = indexOf(offset);
        for (long done = 0; done < bytes; segment++) {
            long begin = offset + done;
            long part = Math.min(bytes - done, end(segment) - begin);
            queue.write(segments[segment], begin - starts[segment], address + done, part);
            done += part;
        }
    }

    /** Discards the pending writes to the range, which is about to be released. */
    void dropWrites(GpuDevice device) {
        for (GpuBuffer segment : segments) {
            device.queue().dropWrites(segment);
        }
    }

    @Override
    public void close() {
        for (GpuBuffer segment : segments) {
            segment.close();
        }
    }
}
