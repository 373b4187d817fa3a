/** Functions of single elements: {@link io.devicearena.kernels.activation.Activation}. */
package io.devicearena.kernels.activation;
