package io.devicearena.conformance.junit;

import java.io.IOException;

/**
 * A test class that learns when its clauses begin and how they end.
 *
 * <p><b>Threads:</b> one thread at a time; called by the thread that runs JUnit.
 */
public interface ClauseListener {
    /**
     * A clause begins.
     *
     * @param where clause and device, for people
     * @throws IOException if it cannot be written down
     */
    void clauseBegins(String where) throws IOException;

    /**
     * A clause has ended.
     *
     * @param subject the provider and the device
     * @param result how it ended
     */
    void clauseEnds(Subject subject, ClauseResult result);
}
