package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.cast.TypedCasts;
import io.devicearena.spi.ArenaGeometry;
import java.lang.foreign.MemorySegment;

/** A correct arena that casts element by element, so that a mutant can break the cast of one. */
class CastingArena extends ReferenceArena {
    CastingArena(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
        super(device, plan, options, geometry);
    }

    /** The bits of a 16-bit element for those of a float. */
    short narrow(DType dtype, int bits) {
        float value = Float.intBitsToFloat(bits);
        return dtype == DType.F16 ? TypedCasts.toF16(value) : TypedCasts.toBf16(value);
    }

    /** The bits of a float for those of a 16-bit element. */
    int widen(DType dtype, short pattern) {
        return Float.floatToRawIntBits(dtype == DType.F16 ? TypedCasts.fromF16(pattern) : TypedCasts.fromBf16(pattern));
    }

    /** What becomes of a float that is written as F32. */
    int copied(int bits) {
        return bits;
    }

    @Override
    void encode(DType dtype, MemorySegment floats, MemorySegment encoded, long count) {
        for (long i = 0; i < count; i++) {
            int bits = floats.get(INT, i * 4);
            if (dtype == DType.F32) {
                encoded.set(INT, i * 4, copied(bits));
            } else {
                encoded.set(SHORT, i * 2, narrow(dtype, bits));
            }
        }
    }

    /** Reads of more elements than there are patterns ask what a read allocates; they take the library's fast casts. */
    @Override
    void decode(DType dtype, MemorySegment encoded, MemorySegment floats, long count) {
        if (count > 1 << 16) {
            super.decode(dtype, encoded, floats, count);
            return;
        }
        for (long i = 0; i < count; i++) {
            floats.set(
                    INT, i * 4, dtype == DType.F32 ? encoded.get(INT, i * 4) : widen(dtype, encoded.get(SHORT, i * 2)));
        }
    }
}
