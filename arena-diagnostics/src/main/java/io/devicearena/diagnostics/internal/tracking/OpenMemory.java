package io.devicearena.diagnostics.internal.tracking;

import io.devicearena.spi.memory.MemoryFigures;
import io.devicearena.spi.observation.ArenaIdentity;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one arena that is open. It does not refer to the arena.
 *
 * <p>Threads: immutable.
 *
 * @param arena the arena that was opened first on the memory
 * @param figures what the memory takes beside the arena at each moment
 * @param uses counts the arena, unless it is closed, and its open views
 * @param openedNanos when it was opened, by {@link System#nanoTime}
 * @param place where it was opened, or null if that was not recorded
 */
public record OpenMemory(
        ArenaIdentity arena,
        Supplier<MemoryFigures> figures,
        IntSupplier uses,
        long openedNanos,
        @Nullable OpeningPlace place) {}
