/**
 * Long data of a caller, in which every word differs, and arenas beside a copy of what they must hold.
 *
 * <p>The topics of long data and of deferred reads use it; begin at {@link
 * io.devicearena.conformance.data.LongArena}.
 */
@org.jspecify.annotations.NullMarked
package io.devicearena.conformance.data;
