package io.devicearena.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.DeviceArena;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** Close while C code uses the arena's memory: here the C library's qsort, which waits in its comparator. */
class CpuDeviceArenaNativeCallTest {
    private final CountDownLatch comparing = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    // called by qsort
    int compare(MemorySegment left, MemorySegment right) {
        comparing.countDown();
        boolean interrupted = false;
        while (goOn.getCount() > 0) {
            try {
                goOn.await();
            } catch (InterruptedException e) {
                interrupted = true; // an upcall must not throw
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return Long.compare(left.address(), right.address());
    }

    @SuppressWarnings("restricted") // the C library's qsort, with the signature that the C standard gives
    private Void sort(MemorySegment memory) throws Throwable {
        Linker linker = Linker.nativeLinker();
        FunctionDescriptor comparator =
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
        MethodHandle qsort = linker.downcallHandle(
                linker.defaultLookup().find("qsort").orElseThrow(),
                FunctionDescriptor.ofVoid(
                        ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
        MethodHandle compare = MethodHandles.lookup()
                .findVirtual(
                        CpuDeviceArenaNativeCallTest.class,
                        "compare",
                        MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class))
                .bindTo(this);
        try (Arena call = Arena.ofConfined()) {
            qsort.invokeExact(memory, 2L, 1L, linker.upcallStub(compare, comparator, call));
        }
        return null;
    }

    @Test
    void close_duringNativeCall_throwsAndTheNextCloseFreesTheMemory() throws Exception {
        DeviceArena arena = TestArenas.open(TestArenas.threeSlots());
        MemorySegment memory = TestArenas.memory(arena);
        FutureTask<Void> sorting = new FutureTask<>(() -> {
            try {
                return sort(memory);
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        });
        Thread.ofPlatform().start(sorting);
        comparing.await();
        try {
            for (int attempt = 0; attempt < 2; attempt++) {
                assertThatThrownBy(arena::close)
                        .isExactlyInstanceOf(IllegalStateException.class)
                        .hasMessage(
                                "arena: a native call still uses the segment that unwrap returned; close the arena again"
                                        + " when it has returned");
            }
            assertThat(arena.isOpen()).isFalse();
            assertThatThrownBy(arena::sizeBytes)
                    .isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessage(TestArenas.CLOSED);
            assertThat(memory.scope().isAlive()).isTrue();
        } finally {
            goOn.countDown();
        }
        sorting.get();
        arena.close();
        assertThat(memory.scope().isAlive()).isFalse();
        arena.close();
    }
}
