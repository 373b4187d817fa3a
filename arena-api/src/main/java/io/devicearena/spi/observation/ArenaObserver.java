package io.devicearena.spi.observation;

/**
 * Watches the arenas of a process. {@link java.util.ServiceLoader} finds it; the first that is found is used.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public interface ArenaObserver {
    /**
     * Begins to watch memory that is about to be allocated.
     *
     * @param planBytes the bytes of the plan, without scratch
     * @param checks whether the execution is to be checked
     * @return what watches it; it must not refer to an arena
     * @throws IllegalArgumentException if a setting of the observer is wrong
     */
    MemoryWatch watch(long planBytes, boolean checks);
}
