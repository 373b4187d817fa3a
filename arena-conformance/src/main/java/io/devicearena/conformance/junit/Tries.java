package io.devicearena.conformance.junit;

/**
 * A test that counts its tries.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface Tries {
    /**
     * What the clause that this instance tested says of its tries.
     *
     * @return for example {@code tried 60 times, met 55}; empty where it says nothing
     */
    String tries();
}
