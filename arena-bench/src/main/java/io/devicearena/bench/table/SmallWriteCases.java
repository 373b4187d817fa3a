package io.devicearena.bench.table;

import io.devicearena.DeviceArena;
import io.devicearena.F16ShadowMode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Writes of a few bytes that wait for the next submission: at places where words begin, and within words. */
final class SmallWriteCases {
    private static final int BYTES = 64;
    private static final int PLACES = 50;
    private static final int STRIDE = 80;

    private final CaseRecorder recorder;
    private int calls;

    SmallWriteCases(CaseRecorder recorder) {
        this.recorder = recorder;
    }

    void run() {
        try (Arena memory = Arena.ofShared()) {
            MemorySegment source = memory.allocate(BYTES, 8).fill((byte) 1);
            CaseArenas.with(recorder, CaseArenas.values(1, 4096, 4096), F16ShadowMode.OFF, arena -> {
                time(SpeedCase.WRITE_WORDS, arena, source, 0);
                time(SpeedCase.WRITE_BETWEEN_WORDS, arena, source, 1);
            });
        }
    }

    private void time(SpeedCase what, DeviceArena arena, MemorySegment source, int first) {
        recorder.timeBursts(
                what, BYTES, () -> arena.writeBytes(first + calls++ % PLACES * (long) STRIDE, source), arena::flush);
    }
}
