package io.devicearena.conformance.topics;

import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.Capability;
import io.devicearena.DeviceArena;
import io.devicearena.HostMemory;
import io.devicearena.conformance.calls.Batches;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.conformance.oracle.ExamplePlan;
import io.devicearena.conformance.oracle.TestData;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Group 10: host memory of the device, and the arena's bytes themselves where they are host memory.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface HostMemoryConformance extends ConformanceTopic {
    /** Catches memory that is not zeroed, is shorter, is confined to one thread, or is another's too. */
    @Test
    default void required_10_1_hostMemoryIsZeroedAndAsLongAsRequested() {
        Thread another = Thread.ofPlatform().unstarted(() -> {});
        try (DeviceArena arena = openExample()) {
            for (int length : new int[] {1, 3, 16, 63, 256, 4095, 4096, 4097, 50_001, 65_537, 1 << 20}) {
                String what = " of host memory of " + length + " bytes";
                try (HostMemory host = arena.allocateHost(length);
                        HostMemory other = arena.allocateHost(length)) {
                    Check.same("byteSize" + what, (long) length, host.byteSize());
                    Check.same("isOpen" + what, true, host.isOpen());
                    Check.same(
                            "access of another thread" + what,
                            true,
                            host.segment().isAccessibleBy(another));
                    host.segment().fill((byte) 0x5A); // neither the other one nor the next memory shows it
                    Check.same(
                            "bytes" + what, 0, new byte[length], other.segment().toArray(Batches.BYTE));
                }
            }
        }
    }

    /** Catches memory that stays accessible when the device has it no longer, and an arena that closes with it. */
    @Test
    default void required_10_2_closedHostMemoryIsRefused() {
        for (boolean alone : new boolean[] {true, false}) {
            try (DeviceArena arena = openExample()) {
                HostMemory host = arena.allocateHost(64);
                MemorySegment segment = host.segment();
                Runnable first = alone ? host::close : arena::close;
                first.run();
                Check.same("open", false, host.isOpen());
                Check.assertClosed("segment() of closed host memory", host::segment);
                Check.assertClosed("access to closed host memory", () -> segment.get(ValueLayout.JAVA_BYTE, 0));
                Check.assertClosed("a write from closed host memory", () -> arena.writeBytes(0, segment));
                host.close();
                Check.same("isOpen of the arena", alone, arena.isOpen());
                if (alone) {
                    Check.holds("arena after that", arena, 0, ExamplePlan.filled());
                }
            }
        }
    }

    /** Catches a size of 0 that becomes memory, and one that overflows to a small one. */
    @Test
    default void required_10_3_badSizesOfHostMemoryAreRefused() {
        try (Refusals refusals = new Refusals(openExample())) {
            for (long bytes : new long[] {0, -1, Long.MIN_VALUE}) {
                refusals.invalid("host memory of " + bytes + " bytes", () -> refusals.arena.allocateHost(bytes), bytes);
            }
            for (long bytes : new long[] {1L << 60, Long.MAX_VALUE - 7, Long.MAX_VALUE}) {
                String what = "host memory of " + bytes + " bytes";
                RuntimeException refused =
                        refusals.refused(RuntimeException.class, what, () -> refusals.arena.allocateHost(bytes));
                Check.isTrue(
                        what + ": expected IllegalArgumentException or ArenaOutOfMemoryException, got " + refused,
                        refused instanceof IllegalArgumentException || refused instanceof ArenaOutOfMemoryException);
            }
        }
    }

    /** Catches a snapshot returned as memory, a segment of the plan alone, and freed memory that can still be read. */
    @Test
    default void optional_10_4_segmentIsTheArena() {
        assumeCapability(Capability.HOST_MEMORY);
        MemorySegment memory;
        try (DeviceArena arena = openExample();
                DeviceArena view = arena.view(ExamplePlan.plan())) {
            memory = arena.unwrap(MemorySegment.class).orElseThrow();
            Thread another = Thread.ofPlatform().unstarted(() -> {});
            Check.same("access of another thread", true, memory.isAccessibleBy(another));
            Check.same("read-only", false, memory.isReadOnly());
            MemorySegment ofView = view.unwrap(MemorySegment.class).orElseThrow();
            Check.same("size of the segment", arena.sizeBytes(), memory.byteSize());
            Check.same("size of the segment of a view", arena.sizeBytes(), ofView.byteSize());
            byte[] bytes = TestData.bytes(105, 93);
            memory.copyFrom(MemorySegment.ofArray(bytes)); // clause 2.1 reads and writes it in every way
            Check.holds("arena after a write into the segment", arena, 0, bytes);
            Check.same("address of the segment of a view", memory.address(), ofView.address());
        }
        Check.assertClosed(
                "access to the segment of a closed arena",
                () -> Check.same("a byte of it", (byte) 0, memory.get(Batches.BYTE, 0)));
    }

    /**
     * A close that meets a native call in the segment waits or throws, and in the end the memory is freed. The call
     * writes more into a pipe than the pipe holds: once its first byte is out it is inside native code, and stays there
     * until the rest is taken.
     *
     * @throws Exception if the pipe or a thread fails
     */
    @Test
    default void optional_10_5_closeDuringANativeCallLosesNothing() throws Exception {
        assumeCapability(Capability.HOST_MEMORY);
        long size = Math.min(2L << 20, device().limits().maxArenaBytes());
        if (size < 1 << 20) {
            throw skip("its largest arena of " + size + " bytes may fit into a pipe");
        }
        Pipe pipe = Pipe.open();
        try (Pipe.SinkChannel sink = pipe.sink();
                InputStream written = Channels.newInputStream(pipe.source())) {
            DeviceArena arena = open(ExamplePlan.bytes(size));
            MemorySegment memory = arena.unwrap(MemorySegment.class).orElseThrow();
            memory.fill((byte) 0x5A);
            FutureTask<Integer> call = new FutureTask<>(() -> sink.write(memory.asByteBuffer()));
            Thread.ofPlatform().daemon().name("native-call").start(call);
            Check.same("first byte that the call wrote", 0x5A, written.read());
            FutureTask<Boolean> close = new FutureTask<>(() -> {
                try {
                    arena.close();
                    return true;
                } catch (IllegalStateException e) {
                    return false;
                }
            });
            Thread closer = Thread.ofPlatform().daemon().name("close").start(close);
            boolean waits = !closer.join(Duration.ofMillis(200));
            Check.isTrue(
                    "a close that returned during the call: expected it to throw or to wait", waits || !close.get());
            int rest = (int) size - 1;
            Check.same("rest that the call wrote", 1, TestData.filled(rest, 0x5A), written.readNBytes(rest));
            Check.same("result of the call", (int) size, call.get(1, TimeUnit.MINUTES));
            close.get(1, TimeUnit.MINUTES);
            Check.same("isOpen after the close", false, arena.isOpen());
            arena.close();
            Check.same("memory alive after another close", false, memory.scope().isAlive());
        }
    }
}
