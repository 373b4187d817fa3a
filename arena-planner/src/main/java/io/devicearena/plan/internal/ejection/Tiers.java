package io.devicearena.plan.internal.ejection;

/**
 * How lives are parted by the room that they take over time: the first tier has the few that take most of it, each further one
 * those and more, and the last one all.
 *
 * <p>Threads: immutable.
 *
 * @param most the most tiers, 1 or more
 * @param divisor the part, as its divisor, of all room over time that the first tier leaves to later ones, and each tier of what
 *     was left to it; 2 or more
 */
record Tiers(int most, int divisor) {}
