package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.MemoryPlan;
import io.devicearena.SegmentLayout;
import io.devicearena.spi.ArenaGeometry;
import java.lang.foreign.MemorySegment;

/** A correct arena that moves bytes segment by segment, so that a mutant can break one of these steps. */
class SegmentedArena extends ReferenceArena {
    final SegmentLayout layout;

    SegmentedArena(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
        super(device, plan, options, geometry);
        this.layout = geometry.segments();
    }

    // ---- the steps that mutants break

    /** Puts bytes into one segment. */
    void putPart(long offset, MemorySegment source, boolean first) {
        super.put(offset, source);
    }

    /** Gets bytes out of one segment. */
    void getPart(long offset, MemorySegment destination, boolean first) {
        super.get(offset, destination);
    }

    /** How many bytes of a range lie in the segment in which it begins. */
    final long inFirst(long offset, long length) {
        return Math.min(length, layout.end(layout.indexOf(offset)) - offset);
    }

    // ---- the reference, part by part

    @Override
    void put(long offset, MemorySegment source) {
        long size = source.byteSize();
        for (long done = 0; done < size; ) {
            long part = inFirst(offset + done, size - done);
            putPart(offset + done, source.asSlice(done, part), done == 0);
            done += part;
        }
    }

    @Override
    void get(long offset, MemorySegment destination) {
        long size = destination.byteSize();
        for (long done = 0; done < size; ) {
            long part = inFirst(offset + done, size - done);
            getPart(offset + done, destination.asSlice(done, part), done == 0);
            done += part;
        }
    }
}
