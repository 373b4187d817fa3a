/**
 * The verification of a plan on a device: every value is written at the start of its live range, read at the end, and
 * compared byte by byte.
 *
 * <p>Start reading at {@link io.devicearena.cli.replay.Replay}.
 */
@NullMarked
package io.devicearena.cli.replay;

import org.jspecify.annotations.NullMarked;
