/**
 * Functions of single elements: {@link io.devicearena.kernels.activation.Activation}, and steps that apply them or add
 * values. Each step may run in place.
 */
package io.devicearena.kernels.activation;
