package io.devicearena.conformance.runner;

/**
 * Receives the progress of a run.
 *
 * <p><b>Threads:</b> one thread at a time; called by the thread that runs the kit.
 */
@FunctionalInterface
public interface ConformanceProgress {
    /**
     * A clause has been tested.
     *
     * @param clause device and clause, for people
     * @param done how many results there are, 1 or more
     * @param total how many there will be, as far as is known
     */
    void clauseDone(String clause, long done, long total);
}
