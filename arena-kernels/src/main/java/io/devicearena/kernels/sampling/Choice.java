package io.devicearena.kernels.sampling;

import io.devicearena.kernels.step.HostFloats;
import java.lang.foreign.MemorySegment;

/** What steps that choose a token share on the host; the file choice.wgsl has the same for devices. */
final class Choice {
    static final int CURSOR_WORDS = 4;

    static final int GENERATED = 3;

    private Choice() {}

    /** An unsigned integer that is ordered as the floats are: 0 for a NaN, which no number has. */
    static int ordered(int bits) {
        if ((bits & 0x7fffffff) > 0x7f800000) {
            return 0;
        }
        return bits ^ ((bits >> (Integer.SIZE - 1)) | Integer.MIN_VALUE); // no branch to predict
    }

    /** Moves the cursor behind the rows of a step, to the token that was chosen. */
    static void advance(MemorySegment cursor, int token) {
        HostFloats.setWord(cursor, 0, HostFloats.word(cursor, 0) + HostFloats.word(cursor, 1));
        HostFloats.setWord(cursor, 1, 1);
        HostFloats.setWord(cursor, 2, token);
        HostFloats.setWord(cursor, GENERATED, HostFloats.word(cursor, GENERATED) + 1);
    }
}
