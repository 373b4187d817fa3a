/**
 * A long run that opens, fills, uses, loses and closes arenas on several threads, and checks every byte.
 *
 * <p>Start at {@link io.devicearena.bench.soak.SoakCommand}.
 */
package io.devicearena.bench.soak;
