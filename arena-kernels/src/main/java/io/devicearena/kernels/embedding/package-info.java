/** The rows of tokens: {@link io.devicearena.kernels.embedding.Embedding}. */
@NullMarked
package io.devicearena.kernels.embedding;

import org.jspecify.annotations.NullMarked;
