package io.devicearena.plan.optimal;

import java.time.Duration;

/**
 * How far a search has come.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param height the size of the arena in the best plan so far: bytes, those below the problem's origin included
 * @param lowerBound bytes that every plan needs as far as is known, those below the problem's origin included
 * @param elapsed the time since the search began
 * @param nodes how many partial placements it has looked at
 */
public record SearchProgress(long height, long lowerBound, Duration elapsed, long nodes) {}
