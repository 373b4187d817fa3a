package io.devicearena.cpu;

import static io.devicearena.cpu.TestArenas.LEFT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.ReadBatch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CpuDeviceArenaLifetimeTest {
    private static final float[] FLOATS = {1, 2};

    private static Stream<Named<Consumer<DeviceArena>>> calls() {
        MemorySegment memory = MemorySegment.ofArray(FLOATS);
        ReadBatch batch =
                ReadBatch.builder().output(LEFT, DType.F32, new float[2]).build();
        return Stream.of(
                Named.of("device", DeviceArena::device),
                Named.of("plan", DeviceArena::plan),
                Named.of("sizeBytes", DeviceArena::sizeBytes),
                Named.of("scratchOffset", DeviceArena::scratchOffset),
                Named.of("scratchBytes", DeviceArena::scratchBytes),
                Named.of("hasBuffer", arena -> arena.hasBuffer(LEFT)),
                Named.of("byteOffset", arena -> arena.byteOffset(LEFT)),
                Named.of("lengthBytes", arena -> arena.lengthBytes(LEFT)),
                Named.of("setActualLength", arena -> arena.setActualLength(LEFT, 4)),
                Named.of("writeInputF32 of an array", arena -> arena.writeInputF32(LEFT, DType.F32, FLOATS)),
                Named.of("writeInputF32 of a segment", arena -> arena.writeInputF32(LEFT, DType.F16, memory)),
                Named.of("readOutputF32 into a new array", arena -> arena.readOutputF32(LEFT, DType.F32, 2)),
                Named.of("readOutputF32 into an array", arena -> arena.readOutputF32(LEFT, DType.F32, new float[2])),
                Named.of(
                        "readOutputF32 into a segment",
                        arena -> arena.readOutputF32(LEFT, DType.BF16, MemorySegment.ofArray(new float[2]))),
                Named.of("readBatch", arena -> arena.readBatch(batch)),
                Named.of("beginRead", arena -> arena.beginRead(batch)),
                Named.of("writeBytes", arena -> arena.writeBytes(0, memory)),
                Named.of("readBytes", arena -> arena.readBytes(0, MemorySegment.ofArray(new byte[8]))),
                Named.of("writeBytes with progress", arena -> arena.writeBytes(0, memory, done -> {})),
                Named.of("withBytes", arena -> arena.withBytes(0, 8, MemorySegment::byteSize)),
                Named.of("flush", DeviceArena::flush),
                Named.of("hostMemory", DeviceArena::hostMemory));
    }

    @Test
    void theListOfCallsIsWhole() {
        // all that the interface declares, but close, isOpen and f16Shadow
        assertThat(calls()).hasSize(DeviceArena.class.getMethods().length - 3);
    }

    @Test
    void theShadowIsRefusedAsAbsentAndThenAsClosed() {
        DeviceArena arena = TestArenas.open(TestArenas.threeSlots());
        assertThatThrownBy(arena::f16Shadow)
                .isExactlyInstanceOf(UnsupportedOperationException.class)
                .hasMessage("F16_SHADOW: not a capability of provider 'cpu' on 'host memory'");
        arena.close();
        assertThatThrownBy(arena::f16Shadow)
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage(TestArenas.CLOSED);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void anOpenArenaTakesTheCallAndAClosedOneRefuses(Consumer<DeviceArena> call) {
        DeviceArena arena = TestArenas.open(TestArenas.threeSlots());
        call.accept(arena);
        arena.close();
        assertThatThrownBy(() -> call.accept(arena))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage(TestArenas.CLOSED);
    }

    @Test
    void emptyWritesAndReadsAreRefusedTooOnceClosed() {
        DeviceArena arena = TestArenas.open(TestArenas.threeSlots());
        arena.close();
        MemorySegment empty = MemorySegment.ofArray(new byte[0]);
        List<Consumer<DeviceArena>> calls = List.of(
                a -> a.writeBytes(0, empty),
                a -> a.readBytes(0, empty),
                a -> a.writeInputF32(LEFT, DType.F32, new float[0]),
                a -> a.readOutputF32(LEFT, DType.F32, 0),
                a -> a.readBatch(ReadBatch.builder().build()));
        assertThat(calls)
                .allSatisfy(call -> assertThatThrownBy(() -> call.accept(arena))
                        .isExactlyInstanceOf(IllegalStateException.class)
                        .hasMessage(TestArenas.CLOSED));
    }

    @Test
    void closingTwiceIsFineAndTheStateIsTold() {
        DeviceArena arena = TestArenas.open(TestArenas.threeSlots());
        assertThat(arena.isOpen()).isTrue();
        arena.close();
        arena.close();
        assertThat(arena.isOpen()).isFalse();
        assertThat(arena).hasToString("device arena 'test' of 96 bytes on 'host memory' (closed)");
    }

    @Test
    void lentMemoryEndsWithTheArena() {
        DeviceArena arena = TestArenas.open(TestArenas.threeSlots());
        MemorySegment memory = arena.hostMemory();
        arena.close();
        assertThat(memory.scope().isAlive()).isFalse();
        assertThatThrownBy(() -> memory.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void arenasLiveSideBySideAndEndOneByOne() {
        DeviceArena first = TestArenas.open(TestArenas.threeSlots());
        try (DeviceArena second = TestArenas.open(TestArenas.threeSlots())) {
            first.writeInputF32(LEFT, DType.F32, FLOATS);
            first.close();
            assertThat(second.readOutputF32(LEFT, DType.F32, 2)).containsExactly(0, 0);
        }
    }

    @Test
    void memoryOfACallerThatIsClosedBetweenCallsDoesNotHarmTheArena() {
        try (DeviceArena arena = TestArenas.openFilled()) {
            MemorySegment dead;
            try (java.lang.foreign.Arena own = java.lang.foreign.Arena.ofConfined()) {
                dead = own.allocate(32, 4);
                assertThat(arena.writeInputF32(LEFT, DType.F32, dead)).isEqualTo(8);
            }
            assertThatThrownBy(() -> arena.writeInputF32(LEFT, DType.F32, dead))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("data: expected live memory, got a segment of 32 bytes whose arena is closed");
            assertThat(arena.readOutputF32(LEFT, DType.F32, 8)).containsOnly(0f);
        }
    }

    @Test
    void anArenaDroppedWithoutCloseIsFreedAndLogged() throws InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        AtomicReference<String> line = new AtomicReference<>("");
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                if (entry.getMessage().contains("'dropped'")) {
                    line.set(entry.getLevel() + " " + entry.getMessage());
                    told.countDown();
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("io.devicearena");
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
        try {
            MemorySegment memory = memoryOfADroppedArena();
            boolean logged = false;
            for (int tries = 0; tries < 100 && !logged; tries++) {
                System.gc();
                logged = told.await(100, TimeUnit.MILLISECONDS);
            }
            assertThat(line)
                    .hasValue("WARNING device arena 'dropped' of 96 bytes on 'host memory' was dropped without close;"
                            + " its memory is freed now");
            assertThat(memory.scope().isAlive()).isFalse();
        } finally {
            logger.setUseParentHandlers(true);
            logger.removeHandler(handler);
        }
    }

    private static MemorySegment memoryOfADroppedArena() {
        return TestArenas.open(TestArenas.threeSlots(), TestArenas.options().withLabel("dropped"))
                .hostMemory();
    }
}
