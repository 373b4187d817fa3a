package io.devicearena.wgpu.internal.transfer;

import io.devicearena.ReadBatch;
import io.devicearena.WriteBatch;
import java.util.List;

/** The offsets and sizes of the regions of a batch in their arena. Threads: safe for any thread. */
public interface RegionSizes {
    /** The offset of a region, in bytes from the start of the arena. */
    long offset(ReadBatch.Region region);

    /** The number of elements to read of a typed region, or of bytes of a raw one. */
    long elements(ReadBatch.Region region);

    /** The offset of a region, in bytes from the start of the arena. */
    long offset(WriteBatch.Region region);

    /** The number of elements to write of a region of floats or elements, or of bytes of a raw one. */
    long elements(WriteBatch.Region region);

    /** How a write of a region treats the f16 mirror of its value. */
    Upload.Mirror mirror(WriteBatch.Region region);

    /** Requires that this thread can write all regions of a batch now; returns them. */
    List<WriteBatch.Region> checked(WriteBatch batch);

    /** Requires that this thread can read all regions of a batch now; returns them. */
    List<ReadBatch.Region> checked(ReadBatch batch, boolean byAnyThread);
}
