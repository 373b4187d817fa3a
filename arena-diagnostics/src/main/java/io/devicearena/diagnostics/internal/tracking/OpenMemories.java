package io.devicearena.diagnostics.internal.tracking;

import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory of all open arenas of this process, in the order in which they were opened. Views share the memory of
 * their arena, so they add nothing.
 *
 * <p>Threads: static; safe for any thread.
 */
public final class OpenMemories {
    private static final AtomicLong NUMBERS = new AtomicLong();
    private static final ConcurrentSkipListMap<Long, OpenMemory> OPEN = new ConcurrentSkipListMap<>();

    private OpenMemories() {}

    /** Returns a number for memory that is about to be opened. */
    public static long newNumber() {
        return NUMBERS.incrementAndGet();
    }

    /** Adds memory, until {@link #remove}. */
    public static void add(long number, OpenMemory memory) {
        OPEN.put(number, memory);
    }

    /** Removes memory that is freed. */
    public static void remove(long number) {
        OPEN.remove(number);
    }

    /** Returns the memory that is open now. */
    public static List<OpenMemory> all() {
        return List.copyOf(OPEN.values());
    }
}
