/**
 * Functions of single elements: {@link io.devicearena.kernels.activation.Activation}, and steps that limit
 * elements. Sums, products and other functions of elements are expressions: {@code kernels.elementwise}.
 */
package io.devicearena.kernels.activation;
