/**
 * Casts between host floats and the element types an arena holds.
 *
 * <p>Start at {@link io.devicearena.cast.TypedCasts}; a backend uses it for its uploads and downloads.
 */
@NullMarked
package io.devicearena.cast;

import org.jspecify.annotations.NullMarked;
