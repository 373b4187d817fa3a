/**
 * Skyline packing. In: {@link io.devicearena.plan.internal.live.LiveRanges} and a rule that scores buffers. Out: a
 * placement, in about a microsecond a buffer. It meets the lower bound on most real networks. Not exported.
 */
@NullMarked
package io.devicearena.plan.internal.skyline;

import org.jspecify.annotations.NullMarked;
