/**
 * Steps of convolutional networks on images of channels: [batch][channels][height][width].
 *
 * <p>Start at {@link io.devicearena.kernels.convolution.Convolution}.
 */
@NullMarked
package io.devicearena.kernels.convolution;

import org.jspecify.annotations.NullMarked;
