/** Products of matrices of weights, packed as files have them, with vectors and matrices of floats. */
package io.devicearena.kernels.matrix;
