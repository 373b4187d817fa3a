package io.devicearena.spi.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.Transfer;
import io.devicearena.testing.ByteArrayBackend;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuardedMemoryTest {
    private static final MemoryPlan PLAN = new MemoryPlan(64, Map.of(), List.of());

    private final AtomicInteger freed = new AtomicInteger();
    private final GuardedMemory memory = new GuardedMemory(freed::incrementAndGet);

    private final ByteArrayBackend backend =
            new ByteArrayBackend(PLAN, ArenaOptions.defaults(), freed::incrementAndGet);

    private DeviceArena open() {
        return backend.arena(PLAN, ArenaOptions.defaults());
    }

    @Test
    void callsAreRejectedOnceTheMemoryIsFreed() {
        memory.enter();
        memory.leave();
        memory.run();

        assertThat(memory.tryEnter()).isFalse();
        assertThatThrownBy(memory::enter).isInstanceOf(IllegalStateException.class);
        assertThat(freed).hasValue(1);
    }

    @Test
    void closeWaitsForAHook_andTheHookStillHasTheMemory() throws InterruptedException {
        DeviceArena arena = open();
        AtomicInteger freedInHook = new AtomicInteger(-1);
        closeDuringHook(
                arena,
                () -> arena.writeBytes(0, MemorySegment.ofArray(new byte[4])),
                () -> freedInHook.set(freed.get()));

        assertThat(freedInHook).hasValue(0);
        assertThat(freed).hasValue(1);
    }

    @ParameterizedTest(name = "of a view: {0}")
    @ValueSource(booleans = {false, true})
    void closeWaitsForAHook_andTheHookStillHasHostMemory(boolean ofView) throws InterruptedException {
        DeviceArena arena = open();
        DeviceArena closed = ofView ? arena.view(PLAN) : arena;
        MemorySegment host = closed.allocateHost(4).segment();
        AtomicBoolean wasAlive = new AtomicBoolean();
        closeDuringHook(
                closed,
                () -> closed.readBytes(0, host),
                () -> wasAlive.set(host.scope().isAlive()));

        assertThat(wasAlive).isTrue();
        assertThat(host.scope().isAlive()).isFalse();
        assertThat(freed).hasValue(ofView ? 0 : 1);
    }

    /** Closes an arena while a call of it is in the backend. */
    private void closeDuringHook(DeviceArena closed, Runnable call, Runnable inHook) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Thread closer = Thread.ofPlatform().unstarted(closed::close);
        backend.afterHook = () -> {
            begun.countDown();
            while (closer.getState() != Thread.State.TIMED_WAITING && closer.getState() != Thread.State.TERMINATED) {
                Thread.onSpinWait();
            }
            inHook.run();
        };
        Thread caller = Thread.ofPlatform().start(call);
        begun.await();
        closer.start();
        closer.join();
        caller.join();
    }

    @Test
    void aViewGuardsTheSameMemory() {
        DeviceArena arena = open();
        DeviceArena view = arena.view(PLAN);
        arena.close();
        view.writeBytes(0, MemorySegment.ofArray(new byte[] {1, 2, 3, 4}));
        assertThat(view.<Byte>withBytes(3, 1, bytes -> bytes.get(ValueLayout.JAVA_BYTE, 0)))
                .isEqualTo((byte) 4);
        assertThat(freed).hasValue(0);
        view.close();
        assertThat(freed).hasValue(1);
    }

    @Test
    void memoryThatCannotBeFreedYetIsFreedByTheNextClose() {
        GuardedMemory busy = new GuardedMemory(() -> {
            if (freed.incrementAndGet() == 1) {
                throw new IllegalStateException("in use");
            }
        });
        assertThatThrownBy(busy::run).hasMessage("in use");
        assertThat(busy.tryEnter()).isFalse();
        busy.run();
        assertThat(freed).hasValue(2);
    }

    /** The handles of deferred reads. */
    @Nested
    class Reads {
        private final FakeRead staged = new FakeRead();
        private final Transfer read = memory.begin(staged, 12, this);

        /** Arrives when the test says so, and notes what is called. */
        private static final class FakeRead implements StagedRead {
            volatile boolean arrived;
            volatile @Nullable RuntimeException failure;
            final StringBuilder calls = new StringBuilder();

            @Override
            public boolean hasArrived() {
                RuntimeException thrown = failure;
                if (thrown != null) {
                    throw thrown;
                }
                return arrived;
            }

            @Override
            public void land() {
                calls.append("land ");
            }

            @Override
            public void release(boolean landed) {
                calls.append(landed ? "reuse" : "free");
            }
        }

        @Test
        void landsOnce_whenItsStateIsAskedAfterItsArrival() {
            assertThat(read.state()).isEqualTo(Transfer.State.PENDING);
            assertThat(read.await(Duration.ZERO)).isFalse();
            staged.arrived = true;
            assertThat(read.await()).isEqualTo(12);
            assertThat(read.await(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
            assertThat(read.cancel()).isFalse();
            memory.run();
            assertThat(read.state()).isEqualTo(Transfer.State.DONE);
            assertThat(staged.calls).hasToString("land reuse");
        }

        @Test
        void cancelled_neverLands() {
            assertThat(read.cancel()).isTrue();
            staged.arrived = true;
            assertThat(read.state()).isEqualTo(Transfer.State.CANCELLED);
            assertThatThrownBy(read::await).isInstanceOf(CancellationException.class);
            assertThat(read.cancel()).isFalse();
            assertThat(staged.calls).hasToString("free");
        }

        @Test
        void failureOfTheDeviceReachesEveryWaiter() {
            CompletableFuture<Long> future = read.toCompletableFuture();
            IllegalStateException thrown = new IllegalStateException("the device");
            staged.failure = thrown;
            assertThatThrownBy(read::await).isSameAs(thrown);
            assertThatThrownBy(future::join)
                    .isInstanceOf(CompletionException.class)
                    .hasCause(thrown);
            assertThat(read.state()).isEqualTo(Transfer.State.FAILED);
            assertThat(staged.calls).hasToString("free");
        }

        @Test
        void closeOfTheMemoryEndsPendingReads_andThoseThatBeginLater() {
            memory.run();
            FakeRead lateRead = new FakeRead();
            Transfer late = memory.begin(lateRead, 1, this);
            for (Transfer ended : List.of(read, late)) {
                assertThatThrownBy(ended::await)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("deferred read ended because its arena was closed; await reads before closing");
            }
            assertThat(staged.calls).hasToString("free");
            assertThat(lateRead.calls).hasToString("free");
        }

        @Test
        void beginsAgain_withTheSameHandle() {
            CompletableFuture<Long> first = read.toCompletableFuture();
            staged.arrived = true;
            assertThat(read.await()).isEqualTo(12);

            staged.arrived = false;
            memory.beginAgain(read, 5, this);
            CompletableFuture<Long> second = read.toCompletableFuture();
            assertThat(read.state()).isEqualTo(Transfer.State.PENDING);
            assertThat(read.await(Duration.ZERO)).isFalse();
            assertThat(first.join()).isEqualTo(12);
            assertThat(second).isNotDone();
            staged.arrived = true;
            assertThat(read.await()).isEqualTo(5);
            assertThat(second.join()).isEqualTo(5);
            assertThat(staged.calls).hasToString("land reuseland reuse");
        }

        @Test
        void beginsAgain_afterACancel_andAFailure() {
            assertThat(read.cancel()).isTrue();
            memory.beginAgain(read, 1, this);
            staged.failure = new IllegalStateException("the device");
            assertThatThrownBy(read::await).hasMessage("the device");
            staged.failure = null;
            staged.arrived = true;
            memory.beginAgain(read, 2, this);
            assertThat(read.await()).isEqualTo(2);
            assertThat(staged.calls).hasToString("freefreeland reuse");
        }

        @Test
        void beginsAgain_endsWhenTheMemoryIsClosed() {
            staged.arrived = true;
            assertThat(read.await()).isEqualTo(12);
            staged.arrived = false;
            memory.beginAgain(read, 12, this);
            memory.run();
            assertThatThrownBy(read::await).isInstanceOf(IllegalStateException.class);
            memory.beginAgain(read, 12, this);
            assertThat(read.state()).isEqualTo(Transfer.State.FAILED);
            assertThat(staged.calls).hasToString("land reusefreefree");
        }

        @Test
        void beginsAgain_onlyWhenItHasEnded_andInItsOwnMemory() {
            assertThatThrownBy(() -> memory.beginAgain(read, 12, this))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(
                            "deferred read: expected one that has ended, got a pending one; await or cancel it first");
            GuardedMemory other = new GuardedMemory(freed::incrementAndGet);
            assertThatThrownBy(() -> other.beginAgain(read, 12, this))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("read: expected a handle of this memory, got ");
        }

        @Test
        void futureCompletesWithoutAnyoneAwaiting_andItsCancelLeavesTheRead() {
            CompletableFuture<Long> own = read.toCompletableFuture();
            assertThat(own.cancel(false)).isTrue();
            CompletableFuture<Long> other = read.toCompletableFuture();
            staged.arrived = true;
            assertThat(other.join()).isEqualTo(12);
        }

        @Test
        void futureOfAReadThatHasArrived_isComplete() {
            staged.arrived = true;
            assertThat(read.toCompletableFuture()).isCompletedWithValue(12L);
        }

        @Test
        void anActionOfOneFuture_mayWaitForAnother() throws InterruptedException {
            FakeRead otherStaged = new FakeRead();
            Transfer other = memory.begin(otherStaged, 5, this);
            CompletableFuture<Long> waited = other.toCompletableFuture();
            CountDownLatch begun = new CountDownLatch(1);
            CompletableFuture<Long> sum = read.toCompletableFuture().thenApply(count -> {
                begun.countDown();
                return count + waited.join();
            });
            staged.arrived = true;
            begun.await();
            otherStaged.arrived = true;
            assertThat(sum.join()).isEqualTo(17);
        }
    }
}
