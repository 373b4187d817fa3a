/**
 * Greedy placement, one buffer after the other. In: {@link io.devicearena.plan.internal.live.LiveRanges}. Out: a
 * placement; {@link io.devicearena.plan.internal.greedy.EarliestFirst} takes O(n log n) time on any input, {@link
 * io.devicearena.plan.internal.greedy.FirstFit} more. Not exported.
 */
@NullMarked
package io.devicearena.plan.internal.greedy;

import org.jspecify.annotations.NullMarked;
