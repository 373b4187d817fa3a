/**
 * Rows rounded to 8 bits, for products with packed weights that multiply integers: {@link
 * io.devicearena.kernels.rounding.RoundRows}.
 */
@NullMarked
package io.devicearena.kernels.rounding;

import org.jspecify.annotations.NullMarked;
