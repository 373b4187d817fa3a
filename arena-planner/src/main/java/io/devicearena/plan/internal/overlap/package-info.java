/**
 * Where buffers lie while a placement is made, and which of them are in the way of another one. In: {@link
 * io.devicearena.plan.internal.live.LiveRanges} and the offsets given so far. Out: the lowest free offset for a buffer,
 * or the offset that is cheapest to clear. First fit and the ejection search share it. Not exported.
 */
@NullMarked
package io.devicearena.plan.internal.overlap;

import org.jspecify.annotations.NullMarked;
