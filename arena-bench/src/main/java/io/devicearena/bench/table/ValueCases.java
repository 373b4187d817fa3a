package io.devicearena.bench.table;

import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.Batch;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16Shadow;
import io.devicearena.F16ShadowMode;
import io.devicearena.HostMemory;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import java.lang.foreign.Arena;
import java.util.Optional;

/** Writes, reads and mapped views of one value that fills its arena, with and without its f16 mirror. */
record ValueCases(CaseRecorder recorder, long bytes) {
    /** Larger values are not the small result that the next step of an execution waits for. */
    private static final long LARGEST_ROUND_TRIP = 4096;

    /** For larger values a burst of unflushed writes is a single write, as in the flushed case. */
    private static final long LARGEST_UNFLUSHED = 64L << 20;

    /** Smaller values are copied in any case: host memory of the device serves large uploads. */
    private static final long SMALLEST_HOST_MEMORY = 1L << 20;

    private static final NodeId VALUE = NodeId.of(0);

    void run() {
        MemoryPlan plan = CaseArenas.values(1, bytes, bytes);
        try (Arena memory = Arena.ofShared()) {
            HostBuffers host = HostBuffers.of(memory, bytes);
            CaseArenas.with(recorder, plan, F16ShadowMode.ON_WRITE, arena -> shadowed(arena, host));
            CaseArenas.with(recorder, plan, F16ShadowMode.OFF, arena -> plain(arena, host));
        }
    }

    private void shadowed(DeviceArena arena, HostBuffers host) {
        Optional<F16Shadow> shadow = arena.unwrap(F16Shadow.class);
        if (shadow.isEmpty()) {
            recorder.skip(
                    "writes with shadow",
                    "no " + Capability.F16_SHADOW + " on " + arena.device().name());
            return;
        }
        if (!shadow.get().fits(VALUE)) {
            recorder.skip(
                    "writes of " + bytes + " bytes with shadow",
                    "the shadow of " + shadow.get().sizeBytes() + " bytes does not hold the mirror");
            return;
        }
        Runnable write = () -> arena.writeInputF32(VALUE, DType.F32, host.source());
        if (bytes <= LARGEST_UNFLUSHED) {
            recorder.timeBursts(SpeedCase.WRITE_WITH_SHADOW, bytes, write, arena::flush);
        }
        recorder.timeFlushed(SpeedCase.WRITE_WITH_SHADOW_FLUSHED, bytes, arena, write);
        Runnable writeArray = () -> arena.writeInputF32(VALUE, DType.F32, host.array());
        recorder.timeFlushed(SpeedCase.WRITE_ARRAY_WITH_SHADOW_FLUSHED, bytes, arena, writeArray);
        hostMemory(SpeedCase.WRITE_HOST_MEMORY_WITH_SHADOW_FLUSHED, arena, host);
        if (bytes <= LARGEST_ROUND_TRIP) {
            roundTrip(SpeedCase.WRITE_WITH_SHADOW_THEN_READ, arena, host);
        }
    }

    private void plain(DeviceArena arena, HostBuffers host) {
        Runnable write = () -> arena.writeInputF32(VALUE, DType.F32, host.source());
        recorder.timeFlushed(SpeedCase.WRITE_FLUSHED, bytes, arena, write);
        hostMemory(SpeedCase.WRITE_HOST_MEMORY_FLUSHED, arena, host);
        write.run();
        if (bytes <= LARGEST_ROUND_TRIP) {
            roundTrip(SpeedCase.WRITE_THEN_READ, arena, host);
        }

        recorder.timeRead(SpeedCase.READ, host, () -> arena.readOutputF32(VALUE, DType.F32, host.destination()));

        Runnable readArray = () -> arena.readOutputF32(VALUE, DType.F32, host.array());
        host.checkArray(SpeedCase.READ_ARRAY, readArray);
        recorder.time(SpeedCase.READ_ARRAY, bytes, readArray);

        Batch batch =
                Batch.builder().floats(VALUE, DType.F32, host.destination()).build();
        recorder.timeRead(
                SpeedCase.READ_DEFERRED, host, () -> arena.beginRead(batch).await());

        host.check(
                SpeedCase.MAPPED_VIEW,
                () -> arena.withBytes(0, bytes, mapped -> host.destination().copyFrom(mapped)));
        recorder.time(SpeedCase.MAPPED_VIEW, bytes, () -> arena.withBytes(0, bytes, mapped -> Boolean.TRUE));
    }

    /** Writes from host memory of the device, which the loader of an engine fills: the fill is not measured. */
    private void hostMemory(SpeedCase what, DeviceArena arena, HostBuffers host) {
        if (bytes < SMALLEST_HOST_MEMORY || !recorder.wants(what)) {
            return;
        }
        try (HostMemory own = arena.allocateHost(bytes)) {
            own.segment().copyFrom(host.source());
            Runnable write = () -> arena.writeInputF32(VALUE, DType.F32, own.segment());
            host.check(what, () -> {
                arena.fillBytes(0, bytes, (byte) 0);
                write.run();
                arena.readOutputF32(VALUE, DType.F32, host.destination());
            });
            recorder.timeFlushed(what, bytes, arena, write);
        } catch (IllegalArgumentException | ArenaOutOfMemoryException e) {
            recorder.skip("host memory of " + bytes + " bytes", String.valueOf(e.getMessage()));
        }
    }

    private void roundTrip(SpeedCase what, DeviceArena arena, HostBuffers host) {
        recorder.timeRead(what, host, () -> {
            arena.writeInputF32(VALUE, DType.F32, host.source());
            arena.readOutputF32(VALUE, DType.F32, host.destination());
        });
    }
}
