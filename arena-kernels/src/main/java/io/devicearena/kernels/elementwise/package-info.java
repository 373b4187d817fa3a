/**
 * Expressions of single elements, with broadcasting: {@link io.devicearena.kernels.elementwise.Elementwise}.
 *
 * <p>Start at {@link io.devicearena.kernels.elementwise.Expression}.
 */
@NullMarked
package io.devicearena.kernels.elementwise;

import org.jspecify.annotations.NullMarked;
