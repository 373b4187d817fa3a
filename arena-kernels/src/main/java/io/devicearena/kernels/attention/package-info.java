/**
 * Attention: of one row with caches, {@link io.devicearena.kernels.attention.DecodeAttention}, and of many, {@link
 * io.devicearena.kernels.attention.PrefillAttention}; of whole sequences without caches, {@link
 * io.devicearena.kernels.attention.FullAttention}.
 *
 * <p>Start at {@link io.devicearena.kernels.attention.AttentionShape}.
 */
@NullMarked
package io.devicearena.kernels.attention;

import org.jspecify.annotations.NullMarked;
