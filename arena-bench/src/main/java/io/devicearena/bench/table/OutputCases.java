package io.devicearena.bench.table;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.F16ShadowMode;
import io.devicearena.NodeId;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Reads of sixteen outputs: in one batch, adjacent and scattered, and one by one. */
record OutputCases(CaseRecorder recorder) {
    private static final int COUNT = 16;
    private static final long BYTES = 4096;

    void run() {
        try (Arena memory = Arena.ofShared()) {
            HostBuffers host = HostBuffers.of(memory, COUNT * BYTES);
            batch(SpeedCase.OUTPUTS_NEIGHBOURS, BYTES, host);
            batch(SpeedCase.OUTPUTS_SCATTERED, 3 * BYTES, host);
        }
    }

    private void batch(SpeedCase what, long stride, HostBuffers host) {
        CaseArenas.with(recorder, CaseArenas.values(COUNT, BYTES, stride), F16ShadowMode.OFF, arena -> {
            Batch.Builder outputs = Batch.builder();
            MemorySegment[] parts = new MemorySegment[COUNT];
            for (int i = 0; i < COUNT; i++) {
                arena.writeInputF32(NodeId.of(i), DType.F32, part(host.source(), i));
                parts[i] = part(host.destination(), i);
                outputs.floats(NodeId.of(i), DType.F32, parts[i]);
            }
            Batch batch = outputs.build();
            recorder.timeRead(what, host, () -> arena.readBatch(batch));
            if (what == SpeedCase.OUTPUTS_SCATTERED) {
                NodeId[] ids = batch.regions().stream()
                        .map(region -> ((Batch.Floats) region).node())
                        .toArray(NodeId[]::new);
                recorder.timeRead(SpeedCase.OUTPUTS_ONE_BY_ONE, host, () -> {
                    for (int i = 0; i < COUNT; i++) {
                        arena.readOutputF32(ids[i], DType.F32, parts[i]);
                    }
                });
            }
        });
    }

    private static MemorySegment part(MemorySegment whole, int index) {
        return whole.asSlice(index * BYTES, BYTES);
    }
}
