package io.devicearena.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.DeviceException;
import io.devicearena.F16Shadow;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.Transfer;
import io.devicearena.spi.observation.ArenaIdentity;
import io.devicearena.spi.observation.ExecutionChecks;
import io.devicearena.testing.ByteArrayBackend;
import io.devicearena.testing.ByteArrayProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What an arena does in front of a backend that implements two methods. */
class StandardArenaTest {
    private static final NodeId BIG = NodeId.of(1);
    private static final NodeId SMALL = NodeId.of(2);
    private static final MemoryPlan PLAN = new MemoryPlan(
            100_032, Map.of(BIG, new BufferSlot(0, 100_000), SMALL, new BufferSlot(100_000, 32)), List.of(BIG, SMALL));

    private final ByteArrayBackend backend = backend();

    private static ByteArrayBackend backend() {
        return new ByteArrayBackend(PLAN, ArenaOptions.defaults(), () -> {});
    }

    private static DeviceArena open(ByteArrayBackend backend) {
        return backend.arena(PLAN, ArenaOptions.defaults().withLabel("third"));
    }

    private DeviceArena open() {
        return open(backend);
    }

    /** Multiples of 1/8 below 16: all three types hold them exactly. */
    private static float[] exactFloats(int count) {
        SplittableRandom random = new SplittableRandom(count);
        float[] floats = new float[count];
        for (int i = 0; i < count; i++) {
            floats[i] = random.nextInt(-127, 128) / 8f;
        }
        return floats;
    }

    @ParameterizedTest(name = "{1} elements of {0}")
    @CsvSource({
        "F32,1",
        "F32,8191",
        "F32,25000",
        "F16,1",
        "F16,8192",
        "F16,8193",
        "F16,16384",
        "F16,50000",
        "BF16,1",
        "BF16,8191",
        "BF16,8192",
        "BF16,8193",
        "BF16,16385",
        "BF16,50000"
    })
    void defaultTypedHooksMoveEveryElement(DType dtype, int elements) {
        float[] data = exactFloats(elements);
        try (DeviceArena arena = open()) {
            assertThat(arena.writeInputF32(BIG, dtype, data)).isEqualTo(elements);
            assertThat(arena.readOutputF32(BIG, dtype, elements)).isEqualTo(data);
            float[] longer = new float[elements + 1];
            longer[elements] = 77;
            assertThat(arena.readOutputF32(
                            BIG, dtype, MemorySegment.ofArray(longer).asSlice(0, elements * 4L)))
                    .isEqualTo(elements);
            assertThat(longer).startsWith(data).endsWith(77);
            assertThat(arena.writeInputF32(BIG, dtype, MemorySegment.ofArray(data)))
                    .isEqualTo(elements);
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"F32", "F16", "BF16"})
    void writesAndReadsAreCutToSlotAndLength(DType dtype) {
        float[] data = exactFloats(60_000);
        int capacity = 100_000 / dtype.bytes();
        try (DeviceArena arena = open()) {
            assertThat(arena.writeInputF32(BIG, dtype, data)).isEqualTo(capacity);
            assertThat(arena.writeInputF32(BIG, dtype, MemorySegment.ofArray(data)))
                    .isEqualTo(capacity);
            assertThat(arena.readOutputF32(SMALL, DType.F32, 8)).containsOnly(0f);
            arena.setActualLength(BIG, 20);
            float[] destination = new float[60_000];
            int count = 20 / dtype.bytes();
            assertThat(arena.readOutputF32(BIG, dtype, MemorySegment.ofArray(destination)))
                    .isEqualTo(count);
            assertThat(destination[count - 1]).isEqualTo(data[count - 1]);
            assertThat(destination[count]).isZero();
        }
    }

    @Test
    void defaultHooksReadBatches() {
        float[] big = new float[3];
        float[] small = new float[9];
        byte[] raw = new byte[4];
        Batch batch = Batch.builder()
                .floats(BIG, DType.BF16, big)
                .floats(SMALL, DType.F32, small)
                .bytes(100_028, MemorySegment.ofArray(raw))
                .build();
        try (DeviceArena arena = open()) {
            arena.writeInputF32(BIG, DType.BF16, new float[] {1, 2, 3});
            arena.writeInputF32(SMALL, DType.F32, new float[] {4, 5});
            arena.setActualLength(SMALL, 8);
            arena.writeBytes(100_028, MemorySegment.ofArray(new byte[] {6, 7, 8, 9}));
            Transfer read = arena.beginRead(batch);
            arena.writeInputF32(BIG, DType.BF16, new float[3]);
            assertThat(read.await()).isEqualTo(3 + 2 + 4);
            assertThat(big).containsExactly(1, 2, 3);
            assertThat(small).startsWith(4, 5, 0);
            assertThat(raw).containsExactly(6, 7, 8, 9);
            assertThat(arena.readBatch(batch)).isEqualTo(3 + 2 + 4);
            assertThat(big).containsExactly(0, 0, 0);
        }
    }

    @Test
    void hooksAreNotCalledForEmptyTransfers() {
        MemorySegment empty = MemorySegment.ofArray(new byte[0]);
        try (DeviceArena arena = open()) {
            arena.writeBytes(100_032, empty);
            arena.readBytes(100_032, empty);
            arena.writeInputF32(BIG, DType.F32, new float[0]);
            arena.writeInputF32(BIG, DType.F16, empty);
            arena.readOutputF32(BIG, DType.F32, 0);
            arena.readOutputF32(BIG, DType.F16, new float[0]);
            arena.readOutputF32(BIG, DType.BF16, empty);
            arena.setActualLength(SMALL, 1);
            arena.readOutputF32(SMALL, DType.F16, 5);
            arena.readBatch(Batch.builder()
                    .floats(SMALL, DType.F32, new float[4])
                    .bytes(0, empty)
                    .build());
            assertThat(backend.calls).isZero();
        }
    }

    @Test
    void hooksAreNotCalledForInvalidArguments() {
        MemorySegment two = MemorySegment.ofArray(new byte[2]);
        NodeId unknown = NodeId.of(9);
        List<Consumer<DeviceArena>> calls = List.of(
                arena -> arena.writeBytes(100_031, two),
                arena -> arena.readBytes(-1, two),
                arena -> arena.readBytes(0, two.asReadOnly()),
                arena -> arena.writeInputF32(BIG, DType.F32, two),
                arena -> arena.writeInputF32(BIG, DType.U8, new float[1]),
                arena -> arena.writeInputF32(unknown, DType.F32, new float[1]),
                arena -> arena.readOutputF32(unknown, DType.F32, 1),
                arena -> arena.readBatch(Batch.builder()
                        .floats(BIG, DType.F32, new float[1])
                        .bytes(100_031, two)
                        .build()));
        try (DeviceArena arena = open()) {
            assertThat(calls)
                    .allSatisfy(call ->
                            assertThatThrownBy(() -> call.accept(arena)).isInstanceOf(IllegalArgumentException.class));
            assertThat(backend.calls).isZero();
        }
    }

    @Test
    void unwrap_ofATypeThatTheBackendDoesNotHave_isEmpty() {
        try (DeviceArena arena = open()) {
            assertThat(arena.unwrap(MemorySegment.class)).isEmpty();
            assertThat(arena.unwrap(F16Shadow.class)).isEmpty();
            assertThat(arena.unwrap(ExecutionChecks.class)).isEmpty();
        }
    }

    @Test
    void unwrap_asksTheBackendOnceForEachTypeAndArena_andNamesTheArena() {
        List<String> asked = new ArrayList<>();
        ArenaBackend wrapping = new ArenaBackend() {
            @Override
            public void write(long offset, MemorySegment source) {}

            @Override
            public void read(long offset, MemorySegment destination) {}

            @Override
            public <T> Optional<T> unwrap(Class<T> type, OpenArena arena) {
                asked.add(type.getSimpleName() + " of " + arena.arena());
                return type == AtomicInteger.class ? Optional.of(type.cast(new AtomicInteger(7))) : Optional.empty();
            }
        };
        ByteArrayProvider provider = new ByteArrayProvider(() -> wrapping);
        DeviceArena arena = provider.openArena(
                ByteArrayBackend.byteArray(), PLAN, ArenaOptions.defaults().withLabel("third"));
        AtomicInteger first = arena.unwrap(AtomicInteger.class).orElseThrow();
        assertThat(first).hasToString("7");
        assertThat(arena.unwrap(AtomicInteger.class)).containsSame(first);
        assertThat(arena.unwrap(Integer.class)).isEmpty();
        assertThat(arena.unwrap(Integer.class)).isEmpty();
        assertThat(arena.view(PLAN).unwrap(AtomicInteger.class).orElseThrow()).isNotSameAs(first);
        assertThat(asked)
                .containsExactly("AtomicInteger of " + arena, "Integer of " + arena, "AtomicInteger of " + arena);
    }

    @Test
    void unwrap_ofTheOpenArena_isTheArenaThatWasAsked() {
        try (DeviceArena arena = open();
                DeviceArena view = arena.view(PLAN)) {
            assertThat(arena.unwrap(OpenArena.class).orElseThrow().arena()).isSameAs(arena);
            OpenArena inFront = view.unwrap(OpenArena.class).orElseThrow();
            assertThat(inFront.arena()).isSameAs(view);
            assertThat(inFront.requireSlot(SMALL)).isEqualTo(new BufferSlot(100_000, 32));
            assertThat(inFront.weightsInFront()).isEmpty();
            assertThat(inFront.checks()).isEmpty();
        }
    }

    @Test
    void progressIsReportedEvery16MiBAndAtTheEnd() {
        long step = 16L << 20;
        int size = Math.toIntExact(2 * step + 5);
        MemoryPlan plan = new MemoryPlan(size, Map.of(), List.of());
        byte[] data = new byte[size];
        new SplittableRandom(7).nextBytes(data);
        List<Long> reported = new ArrayList<>();
        try (DeviceArena arena = ByteArrayBackend.open(plan, ArenaOptions.defaults(), () -> {})) {
            arena.writeBytes(0, MemorySegment.ofArray(data), reported::add);
            arena.writeBytes(size, MemorySegment.ofArray(new byte[0]), reported::add);
            assertThat(reported).containsExactly(step, 2 * step, (long) size);
            assertThat(arena.<Long>withBytes(0, size, MemorySegment.ofArray(data)::mismatch))
                    .isEqualTo(-1);
        }
    }

    @Test
    void beginRead_confinedDestination_isRefusedAndReadBatchIsNot() {
        try (DeviceArena arena = open();
                Arena confined = Arena.ofConfined()) {
            Batch batch = Batch.builder()
                    .floats(SMALL, DType.F32, confined.allocate(32, 4))
                    .build();
            assertThat(arena.readBatch(batch)).isEqualTo(8);
            assertThatThrownBy(() -> arena.beginRead(batch))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("destination: expected memory that any thread may access, got a segment confined to"
                            + " one; allocate it from a shared arena or on the heap");
        }
    }

    @Test
    void toStringSaysWhetherTheArenaIsClosed() {
        DeviceArena arena = open();
        assertThat(arena).hasToString("device arena 'third' of 100032 bytes on 'byte array'");
        arena.close();
        assertThat(arena).hasToString("device arena 'third' of 100032 bytes on 'byte array' (closed)");
    }

    /** Calls that reach each guarded hook. */
    private static List<Consumer<DeviceArena>> calls() {
        MemorySegment eight = MemorySegment.ofArray(new byte[8]);
        Batch batch = Batch.builder().bytes(0, eight).build();
        return List.of(
                arena -> arena.writeInputF32(BIG, DType.F32, new float[1]),
                arena -> arena.writeInputF32(BIG, DType.F16, eight),
                arena -> arena.readOutputF32(BIG, DType.F32, 1),
                arena -> arena.readOutputF32(BIG, DType.F32, new float[1]),
                arena -> arena.readOutputF32(BIG, DType.BF16, eight),
                arena -> arena.writeBytes(0, eight),
                arena -> arena.readBytes(0, eight),
                arena -> arena.readBatch(batch),
                arena -> arena.beginRead(batch),
                arena -> arena.withBytes(0, 8, MemorySegment::byteSize),
                arena -> arena.writeBytes(0, eight, _ -> {}),
                arena -> arena.writeValueBytes(SMALL, 0, eight),
                arena -> arena.readValueBytes(SMALL, 0, eight),
                arena -> arena.writeBatch(batch),
                arena -> arena.beginWrite(batch),
                arena -> arena.fillBytes(0, 8, (byte) 1),
                arena -> arena.copyBytes(0, 8, 8));
    }

    @Test
    void closedArenaRefusesCallsWithItsLabel() {
        DeviceArena arena = open();
        arena.close();
        assertThat(calls())
                .allSatisfy(call -> assertThatThrownBy(() -> call.accept(arena))
                        .isExactlyInstanceOf(IllegalStateException.class)
                        .hasMessage("device arena 'third' is closed; open a new one")
                        .hasNoCause());
    }

    @Test
    void hookThatThrowsDuringClose_callerSeesTheArenaClosed() throws InterruptedException {
        IllegalStateException gone = new IllegalStateException("memory is gone");
        for (Consumer<DeviceArena> call : calls()) {
            ByteArrayBackend own = backend();
            DeviceArena arena = open(own);
            Thread closer = Thread.ofPlatform().unstarted(arena::close); // it waits until the hook has returned
            own.afterHook = () -> {
                closer.start();
                while (arena.isOpen()) {
                    Thread.onSpinWait();
                }
                throw gone;
            };
            assertThatThrownBy(() -> call.accept(arena))
                    .isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessage("device arena 'third' is closed; open a new one")
                    .hasCause(gone);
            closer.join();
        }
    }

    @Test
    void hookThatThrowsOnAnOpenArena_callerSeesItsException() {
        IllegalStateException busy = new IllegalStateException("busy");
        assertThat(calls()).allSatisfy(call -> {
            ByteArrayBackend own = backend();
            try (DeviceArena arena = open(own)) {
                own.afterHook = () -> {
                    throw busy;
                };
                assertThatThrownBy(() -> call.accept(arena)).isSameAs(busy);
            }
        });
    }

    @Test
    void close_twice_closesTheBackendOnce() {
        AtomicInteger releases = new AtomicInteger();
        DeviceArena arena = ByteArrayBackend.open(PLAN, ArenaOptions.defaults(), releases::incrementAndGet);
        assertThat(releases).hasValue(0);
        arena.close();
        arena.close();
        assertThat(releases).hasValue(1);
    }

    @Test
    void close_afterReleaseThatThrew_triesAgain() {
        AtomicInteger tries = new AtomicInteger();
        DeviceArena arena = ByteArrayBackend.open(PLAN, ArenaOptions.defaults(), () -> {
            if (tries.incrementAndGet() < 3) {
                throw new DeviceException("device: busy");
            }
        });
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(arena::close).isInstanceOf(DeviceException.class).hasMessage("device: busy");
            assertThat(arena.isOpen()).isFalse();
        }
        arena.close();
        arena.close();
        assertThat(tries).hasValue(3);
    }

    @Test
    void cleaner_afterFailedClose_freesMemoryOnce() {
        AtomicInteger tries = new AtomicInteger();
        ArenaIdentity identity = new ArenaIdentity("busy", ByteArrayBackend.byteArray(), 64, 1, false);
        MemoryRelease release = new MemoryRelease(
                () -> {
                    if (tries.incrementAndGet() < 2) {
                        throw new IllegalStateException("busy");
                    }
                },
                identity,
                Observation.OBSERVER.watch(64, false).opened(identity));
        assertThatThrownBy(release::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("busy");
        release.run();
        release.run();
        assertThat(release.close()).isFalse();
        assertThat(tries).hasValue(2);
    }
}
