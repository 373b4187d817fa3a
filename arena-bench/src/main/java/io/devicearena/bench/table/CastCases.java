package io.devicearena.bench.table;

import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16ShadowMode;
import io.devicearena.NodeId;
import java.lang.foreign.Arena;

/** Writes and reads of values that the arena holds as f16 or bf16. */
record CastCases(CaseRecorder recorder, long bytes) {
    private static final NodeId VALUE = NodeId.of(0);

    void run() {
        try (Arena memory = Arena.ofShared()) {
            HostBuffers host = HostBuffers.of(memory, bytes);
            long narrow = bytes / 2;
            CaseArenas.with(recorder, CaseArenas.values(1, narrow, narrow), F16ShadowMode.OFF, arena -> {
                cast(SpeedCase.WRITE_F16, SpeedCase.READ_F16, DType.F16, arena, host);
                cast(SpeedCase.WRITE_BF16, SpeedCase.READ_BF16, DType.BF16, arena, host);
            });
        }
    }

    private void cast(SpeedCase write, SpeedCase read, DType dtype, DeviceArena arena, HostBuffers host) {
        Runnable written = () -> arena.writeInputF32(VALUE, dtype, host.source());
        recorder.timeFlushed(write, bytes, arena, written);
        written.run();
        recorder.timeRead(read, host, () -> arena.readOutputF32(VALUE, dtype, host.destination()));
    }
}
