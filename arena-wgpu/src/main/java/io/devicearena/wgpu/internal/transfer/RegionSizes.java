package io.devicearena.wgpu.internal.transfer;

import io.devicearena.ReadBatch;

/** What an arena knows of the regions of a batch. Threads: safe for any thread. */
public interface RegionSizes {
    /** Where a region begins, in bytes from the arena's start. */
    long offset(ReadBatch.Region region);

    /** How much of a region is read now: elements of a typed one, bytes of a raw one. */
    long elements(ReadBatch.Region region);
}
