package io.devicearena.conformance.topics;

import static io.devicearena.conformance.oracle.ExamplePlan.NODE_1;

import io.devicearena.DeviceArena;
import io.devicearena.conformance.calls.ArenaCall;
import io.devicearena.conformance.calls.Batches;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.conformance.oracle.TestData;
import java.lang.foreign.MemorySegment;
import java.util.function.Predicate;
import org.junit.jupiter.api.function.Executable;

/**
 * An open arena and memory of the caller, for calls that must be refused: each throws what it must, has the figures in
 * its message, and changes no byte and no length.
 */
final class Refusals implements AutoCloseable {
    /** Longer than an arena of the example plan. */
    private static final byte[] MARKED = TestData.filled(128, 0x3C);

    private static final long LENGTH = 20;

    final DeviceArena arena;
    private final byte[] held;
    private final MemorySegment memory = MemorySegment.ofArray(MARKED.clone());

    /** The arena has a node 1, and is closed with this. */
    Refusals(DeviceArena arena) {
        this.arena = arena;
        this.held = Check.all(arena);
        arena.setActualLength(NODE_1, LENGTH);
    }

    /** Memory of the caller that no refused call changes. */
    MemorySegment memory(long bytes) {
        return memory.asSlice(0, bytes);
    }

    /** Makes every call of some kind, with the same arguments. */
    void each(
            Predicate<ArenaCall> which,
            Class<? extends Throwable> how,
            String what,
            ArenaCall.With with,
            Object... texts) {
        ArenaCall.ALL.stream()
                .filter(which)
                .forEach(call -> refused(how, call.with(with) + what, () -> call.on(arena, with), texts));
    }

    void invalid(String what, Executable call, Object... texts) {
        refused(IllegalArgumentException.class, what, call, texts);
    }

    <T extends Throwable> T refused(Class<T> how, String what, Executable call, Object... texts) {
        T thrown = Check.assertRefused(how, what, call, texts);
        Check.same("isOpen after " + what, true, arena.isOpen());
        Check.holds("arena after " + what, arena, 0, held);
        Check.same("length of node 1 after " + what, LENGTH, arena.lengthBytes(NODE_1));
        Check.same("memory after " + what, 0, MARKED, memory.toArray(Batches.BYTE));
        return thrown;
    }

    /** The next valid call works. */
    @Override
    public void close() {
        try (arena) {
            arena.writeBytes(1, memory(3));
            Check.holds("a write after refused calls", arena, 1, memory(3).toArray(Batches.BYTE));
        }
    }
}
