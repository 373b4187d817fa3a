package io.devicearena.plan.lowering;

/**
 * How hard evictions try.
 *
 * <p>Lives are parted in tiers by the room that they take over time: the first has the few that take most of it, each further
 * one those and more, and the last one all.
 *
 * <p>Threads: immutable.
 *
 * @param tiers the most tiers, 1 or more
 * @param divisor the part, as its divisor, of all room over time that the first tier leaves to later ones, and each tier of what
 *     was left to it; 2 or more
 * @param patience how many evictions may come on each life that has been without a place, 1 or more
 * @param seed which of equally cheap rooms is cleared
 */
public record Effort(int tiers, int divisor, int patience, long seed) {}
