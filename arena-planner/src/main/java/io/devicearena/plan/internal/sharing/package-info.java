/**
 * Live ranges, and which values share a slot.
 *
 * <p>In: an {@link io.devicearena.plan.internal.graph.ArrayGraph} with its slot sizes. Out: for every value its live
 * range in steps ({@link io.devicearena.plan.internal.sharing.Liveness}), and the slots that remain to be placed after
 * ops reuse inputs in place and inputs lie in concatenations ({@link
 * io.devicearena.plan.internal.sharing.SlotSharing}).
 */
@NullMarked
package io.devicearena.plan.internal.sharing;

import org.jspecify.annotations.NullMarked;
