/**
 * The live ranges of values ({@link io.devicearena.plan.internal.sharing.Liveness}), and the slots that remain to be
 * placed once values share slots ({@link io.devicearena.plan.internal.sharing.SlotSharing}).
 */
@NullMarked
package io.devicearena.plan.internal.sharing;

import org.jspecify.annotations.NullMarked;
