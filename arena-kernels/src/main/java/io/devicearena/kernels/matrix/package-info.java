/**
 * Matrices of weights, packed as files have them: their products with vectors and matrices of floats, floats that are
 * rounded for such products, and the rows of tokens. Start at {@link io.devicearena.kernels.matrix.Matrix}.
 */
package io.devicearena.kernels.matrix;
