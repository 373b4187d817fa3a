package io.devicearena.plan.optimal;

import java.time.Duration;

/**
 * How far a search has come.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param arenaBytes the arena that the best placement so far needs, bytes below the problem's origin included
 * @param lowerBound the bytes that every placement needs as far as proved, bytes below the problem's origin included
 * @param elapsed the time since the search began
 * @param nodes the number of partial placements visited so far
 */
public record SearchProgress(long arenaBytes, long lowerBound, Duration elapsed, long nodes) {}
