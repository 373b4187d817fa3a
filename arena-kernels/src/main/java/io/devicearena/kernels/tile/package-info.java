/**
 * Products of floats on the host, tile by tile: what convolutions and matrix products share. Rows of the left operand
 * are packed, so that a loop reads them in order; columns of the right one lie anywhere, at offsets.
 */
@NullMarked
package io.devicearena.kernels.tile;

import org.jspecify.annotations.NullMarked;
