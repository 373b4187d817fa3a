package io.devicearena.spi.observation;

import io.devicearena.MemoryPlan;
import io.devicearena.spi.memory.MemoryFigures;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Watches the memory that an arena and its views share: by default nothing of the memory itself, and no execution. It
 * must not refer to an arena.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public interface MemoryWatch {
    /**
     * Notes that the memory is allocated.
     *
     * @param figures what it takes beside the arena at each moment
     * @param arenas how many arenas and views use it now
     */
    default void allocated(Supplier<MemoryFigures> figures, IntSupplier arenas) {}

    /**
     * Notes that the arena, or a view of it, is opened.
     *
     * @param arena what is known of it
     * @return what watches it; it must not refer to the arena
     */
    ArenaTrace opened(ArenaIdentity arena);

    /**
     * Makes the checks of an arena that is opened with them.
     *
     * @param plan its plan
     * @param typed whether its values have the types of the plan
     * @param weights the checks of the arena whose weights it uses, or empty for none
     * @param access moves its bytes, unchecked
     * @return the checks, which refer to the arena by {@code access}
     */
    default ExecutionChecks checks(
            MemoryPlan plan, boolean typed, Optional<ExecutionChecks> weights, CheckedAccess access) {
        throw new AssertionError("memory without checks"); // the observer refused them
    }

    /** Notes that the memory is freed. */
    default void freed() {}
}
