package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;

import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/**
 * Group 13: the arena's bytes themselves, on devices whose memory is the host's.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface HostMemoryConformance extends ConformanceTopic {
    /** Catches a segment of the plan alone, or one confined to the thread that opened the arena. */
    @Test
    default void optional_13_1_segmentCoversTheArena() {
        assumeCapability(Capability.HOST_MEMORY);
        try (DeviceArena arena = openExample()) {
            MemorySegment memory = arena.unwrap(MemorySegment.class).orElseThrow();
            Check.same("size of the segment", arena.sizeBytes(), memory.byteSize());
            Check.same("read-only", false, memory.isReadOnly());
            Check.same(
                    "accessible by another thread",
                    true,
                    memory.isAccessibleBy(Thread.ofPlatform().unstarted(() -> {})));
        }
    }

    /** Catches a snapshot returned as memory. */
    @Test
    default void optional_13_2_segmentIsTheArenaNotACopy() {
        assumeCapability(Capability.HOST_MEMORY);
        try (DeviceArena arena = openExample()) {
            MemorySegment memory = arena.unwrap(MemorySegment.class).orElseThrow();
            byte[] bytes = TestData.bytes(132, 93);
            memory.copyFrom(MemorySegment.ofArray(bytes));
            Check.holds("arena after a write into the segment", arena, 0, bytes);
            memory.asSlice(0, 8).copyFrom(MemorySegment.ofArray(new float[] {1, 2}));
            Check.same(
                    "node 1 after a write into the segment",
                    new float[] {1, 2},
                    arena.readOutputF32(NODE_1, DType.F32, 2));
            arena.writeInputF32(NODE_1, DType.F32, new float[] {3, 4});
            arena.writeBytes(77, MemorySegment.ofArray(TestData.filled(16, 0x99)));
            Check.same(
                    "segment after a typed write",
                    0,
                    TestData.encoded(DType.F32, new float[] {3, 4}),
                    memory.asSlice(0, 8).toArray(Batches.BYTE));
            Check.same(
                    "segment after a raw write",
                    77,
                    TestData.filled(16, 0x99),
                    memory.asSlice(77, 16).toArray(Batches.BYTE));
            Check.same(
                    "a second segment",
                    0,
                    memory.toArray(Batches.BYTE),
                    arena.unwrap(MemorySegment.class).orElseThrow().toArray(Batches.BYTE));
        }
    }

    /** Catches freed memory that can still be read. */
    @Test
    default void optional_13_3_segmentEndsWithTheArena() {
        assumeCapability(Capability.HOST_MEMORY);
        DeviceArena arena = openExample();
        MemorySegment memory = arena.unwrap(MemorySegment.class).orElseThrow();
        arena.close();
        Check.assertClosed(
                "access to the segment of a closed arena",
                () -> Check.same("a byte of it", (byte) 0, memory.get(Batches.BYTE, 0)));
        Check.assertClosed("unwrap of a closed arena", () -> arena.unwrap(MemorySegment.class));
    }

    /** Catches a copy that is silently returned where there is no host memory. */
    @Test
    default void required_13_4_hostMemoryIsEmptyWhereAbsent() {
        if (device().capabilities().contains(Capability.HOST_MEMORY)) {
            throw skip("it declares HOST_MEMORY, the clause is about devices that do not");
        }
        try (DeviceArena arena = openExample()) {
            Check.same("host memory that is not declared", Optional.empty(), arena.unwrap(MemorySegment.class));
        }
    }

    /**
     * A close that meets a native call in the segment waits or throws, and in the end the memory is freed. The call
     * writes more into a pipe than the pipe holds: once its first byte is out it is inside native code, and stays there
     * until the rest is taken.
     *
     * @throws Exception if the pipe or a thread fails
     */
    @Test
    default void optional_13_5_closeDuringANativeCallLosesNothing() throws Exception {
        assumeCapability(Capability.HOST_MEMORY);
        long size = Math.min(2L << 20, device().limits().maxArenaBytes());
        if (size < 1 << 20) {
            throw skip("its largest arena of " + size + " bytes may fit into a pipe");
        }
        Pipe pipe = Pipe.open();
        try (Pipe.SinkChannel sink = pipe.sink();
                Pipe.SourceChannel source = pipe.source()) {
            DeviceArena arena = open(ExamplePlan.bytes(size));
            MemorySegment memory = arena.unwrap(MemorySegment.class).orElseThrow();
            memory.fill((byte) 0x5A);
            FutureTask<Integer> call = new FutureTask<>(() -> sink.write(memory.asByteBuffer()));
            Thread.ofPlatform().daemon().name("native-call").start(call);
            ByteBuffer first = ByteBuffer.allocate(1);
            source.read(first);

            FutureTask<Boolean> close = new FutureTask<>(() -> {
                try {
                    arena.close();
                    return true;
                } catch (IllegalStateException e) {
                    return false;
                }
            });
            Thread.ofPlatform().daemon().name("close").start(close);
            boolean waits = isBusy(close);
            Check.isTrue(
                    "a close that returned during the call: expected it to throw or to wait", waits || !close.get());
            Check.same("bytes that the call wrote", (int) size, drain(source, size - 1, 1));
            Check.same("result of the call", (int) size, call.get(1, TimeUnit.MINUTES));
            close.get(1, TimeUnit.MINUTES);
            Check.same("isOpen after the close", false, arena.isOpen());
            arena.close();
            Check.same("memory alive after another close", false, memory.scope().isAlive());
        }
    }

    private static boolean isBusy(FutureTask<Boolean> close) throws InterruptedException, ExecutionException {
        try {
            close.get(200, TimeUnit.MILLISECONDS);
            return false;
        } catch (TimeoutException e) {
            return true;
        }
    }

    /** Reads the rest of a pipe and counts it. */
    private static int drain(Pipe.SourceChannel source, long bytes, int taken) throws IOException {
        ByteBuffer rest = ByteBuffer.allocate(Math.toIntExact(bytes));
        while (rest.hasRemaining() && source.read(rest) >= 0) {
            Check.isTrue("byte out of the pipe", rest.get(rest.position() - 1) == 0x5A);
        }
        return taken + rest.position();
    }
}
