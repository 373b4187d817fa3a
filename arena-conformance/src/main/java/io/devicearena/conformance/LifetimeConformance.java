package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;

import io.devicearena.ArenaOptions;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/**
 * Group 8: lifetime.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface LifetimeConformance extends ConformanceTopic {
    /** Catches use after close, when the memory may belong to another program. */
    @Test
    default void required_8_1_everyCallAfterCloseThrows() {
        EveryCall calls = new EveryCall();
        DeviceArena arena = openExample();
        calls.forEach((name, call) -> call.accept(arena));
        calls.clearDestinations();
        arena.close();
        calls.forEach((name, call) -> Check.assertClosed(name + " on a closed arena", () -> call.accept(arena)));
        calls.checkDestinations();
    }

    /** Try-with-resources and an engine's own shutdown meet; the JDK's {@code Arena.close} throws here. */
    @Test
    default void required_8_2_closeTwiceIsHarmless() {
        DeviceArena arena = openExample();
        arena.close();
        arena.close();
        Race.together(arena::close);
        try (DeviceArena another = openExample()) {
            arena.close();
            Check.holds("another arena after further closes of the first", another, 0, ExamplePlan.filled());
        }
    }

    /** Log lines and shutdown code need it. */
    @Test
    default void required_8_3_isOpenIsTrueUntilClose() {
        DeviceArena arena = openExample();
        Check.same("isOpen of a new arena", true, arena.isOpen());
        Check.isTrue(
                "toString of an open arena: expected a text",
                !String.valueOf(arena).isBlank());
        arena.close();
        Check.same("isOpen of a closed arena", false, arena.isOpen());
        Check.isTrue(
                "toString of a closed arena: expected a text",
                !String.valueOf(arena).isBlank());
    }

    /** Catches a device that is shut down with its first arena. */
    @Test
    default void required_8_4_closingOneArenaLeavesOthersAlone() {
        DeviceArena first = openExample();
        try (DeviceArena second = openExample()) {
            byte[] bytes = TestData.bytes(84, 93);
            second.writeBytes(0, MemorySegment.ofArray(bytes));
            first.close();
            Check.same("isOpen of the second arena", true, second.isOpen());
            Check.holds("the second arena after the first was closed", second, 0, bytes);
            second.writeInputF32(NODE_1, DType.F32, new float[] {1, 2});
            Check.same("a value of it", new float[] {1, 2}, second.readOutputF32(NODE_1, DType.F32, 2));
            try (DeviceArena third = openExample()) {
                Check.holds("an arena opened after that", third, 0, ExamplePlan.filled());
            }
        }
    }

    /** Catches memory that is freed late or never; on a device with much memory a leak may go unseen. */
    @Test
    default void stochastic_8_5_closeFreesTheMemory() {
        int size = Math.toIntExact(Math.clamp(device().limits().maxArenaBytes() / 100, 1L, 4L << 20));
        byte[] fill = TestData.filled(size, 0xFF);
        for (int round = 0; round < 500; round++) {
            try (DeviceArena arena = open(ExamplePlan.bytes(size))) {
                arena.writeBytes(0, MemorySegment.ofArray(fill));
            }
        }
    }

    /**
     * A leak must be visible, and not fatal. The test is skipped when the VM ignores the request to collect garbage.
     */
    @Test
    default void stochastic_8_6_droppedArenaIsFreedAndLogged() {
        try (ArenaLog log = new ArenaLog(this)) {
            String dropped = "dropped by the conformance kit";
            String closed = "closed by the conformance kit";
            open(ExamplePlan.plan(), ArenaOptions.defaults().withLabel(closed)).close();
            drop(dropped);
            log.awaitLine(dropped);
            Check.same("lines in the log about the dropped arena", 1, log.linesWith(dropped));
            Check.same("lines in the log about an arena that was closed", 0, log.linesWith(closed));
        }
    }

    private void drop(String label) {
        DeviceArena arena = open(ExamplePlan.plan(), ArenaOptions.defaults().withLabel(label));
        arena.writeBytes(0, MemorySegment.ofArray(new byte[1]));
    }
}
