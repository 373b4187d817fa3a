package io.devicearena.bench.table;

import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16ShadowMode;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.ReadBatch;
import java.lang.foreign.Arena;

/** One value that fills its arena: written, read, lent; with its f16 mirror and without. */
final class ValueCases {
    /** Up to here a read is a step's result that the next step waits for, and a read that is begun pays. */
    private static final long LARGEST_ROUND_TRIP = 4096;

    /** Above it, the bursts of unflushed writes are writes of one, and tell nothing that the flushed ones do not. */
    private static final long LARGEST_UNFLUSHED = 64L << 20;

    private static final NodeId VALUE = NodeId.of(0);

    private final CaseRecorder recorder;
    private final long bytes;

    ValueCases(CaseRecorder recorder, long bytes) {
        this.recorder = recorder;
        this.bytes = bytes;
    }

    void run() {
        MemoryPlan plan = CaseArenas.values(1, bytes, bytes);
        try (Arena memory = Arena.ofShared()) {
            HostValues host = new HostValues(memory, bytes);
            CaseArenas.with(recorder, plan, F16ShadowMode.ON_WRITE, arena -> shadowed(arena, host));
            CaseArenas.with(recorder, plan, F16ShadowMode.OFF, arena -> plain(arena, host));
        }
    }

    private void shadowed(DeviceArena arena, HostValues host) {
        if (!arena.device().capabilities().contains(Capability.F16_SHADOW)) {
            recorder.skip(
                    "writes with shadow",
                    "no " + Capability.F16_SHADOW + " on " + arena.device().name());
            return;
        }
        if (!arena.f16Shadow().fits(VALUE)) {
            recorder.skip(
                    "writes of " + bytes + " bytes with shadow",
                    "the shadow of " + arena.f16Shadow().sizeBytes() + " bytes does not hold the mirror");
            return;
        }
        Runnable write = () -> arena.writeInputF32(VALUE, DType.F32, host.source());
        if (bytes <= LARGEST_UNFLUSHED) {
            recorder.timeBursts(SpeedCase.WRITE_WITH_SHADOW, bytes, write, arena::flush);
        }
        recorder.time(SpeedCase.WRITE_WITH_SHADOW_FLUSHED, bytes, () -> {
            write.run();
            arena.flush();
        });
        recorder.time(SpeedCase.WRITE_ARRAY_WITH_SHADOW_FLUSHED, bytes, () -> {
            arena.writeInputF32(VALUE, DType.F32, host.array());
            arena.flush();
        });
        if (bytes <= LARGEST_ROUND_TRIP) {
            roundTrip(SpeedCase.WRITE_WITH_SHADOW_THEN_READ, arena, host);
        }
    }

    private void plain(DeviceArena arena, HostValues host) {
        recorder.time(SpeedCase.WRITE_FLUSHED, bytes, () -> {
            arena.writeInputF32(VALUE, DType.F32, host.source());
            arena.flush();
        });
        arena.writeInputF32(VALUE, DType.F32, host.source());
        if (bytes <= LARGEST_ROUND_TRIP) {
            roundTrip(SpeedCase.WRITE_THEN_READ, arena, host);
        }

        Runnable read = () -> arena.readOutputF32(VALUE, DType.F32, host.destination());
        host.check(SpeedCase.READ, read);
        recorder.time(SpeedCase.READ, bytes, read);

        Runnable readArray = () -> arena.readOutputF32(VALUE, DType.F32, host.array());
        host.checkArray(SpeedCase.READ_ARRAY, readArray);
        recorder.time(SpeedCase.READ_ARRAY, bytes, readArray);

        ReadBatch batch =
                ReadBatch.builder().output(VALUE, DType.F32, host.destination()).build();
        Runnable beginAndAwait = () -> arena.beginRead(batch).await();
        host.check(SpeedCase.READ_DEFERRED, beginAndAwait);
        recorder.time(SpeedCase.READ_DEFERRED, bytes, beginAndAwait);

        host.check(
                SpeedCase.LEND,
                () -> arena.withBytes(0, bytes, lent -> host.destination().copyFrom(lent)));
        recorder.time(SpeedCase.LEND, bytes, () -> arena.withBytes(0, bytes, lent -> Boolean.TRUE));
    }

    private void roundTrip(SpeedCase what, DeviceArena arena, HostValues host) {
        Runnable writeThenRead = () -> {
            arena.writeInputF32(VALUE, DType.F32, host.source());
            arena.readOutputF32(VALUE, DType.F32, host.destination());
        };
        host.check(what, writeThenRead);
        recorder.time(what, bytes, writeThenRead);
    }
}
